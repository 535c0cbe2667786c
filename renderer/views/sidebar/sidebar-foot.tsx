import type { ReactNode } from 'react';
import { may } from '../../store/window-state.ts';
import { moneyText } from '../../text/time-text.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';

/** What concerns everything: problems, pausing, keys, and today's cost. */
export function SidebarFoot(): ReactNode {
  const text = useText();
  const { show, pauseAll, setHelpOpen } = useActs();
  const problems = useWindow(({ home }) => home?.problems.length ?? 0);
  const isPaused = useWindow(({ home }) => home?.paused ?? false);
  const isOwner = useWindow((state) => may(state, 'owner'));
  return (
    <div className="sidebar-foot">
      {problems === 0 ? null : (
        <FootButton
          icon="problem"
          tone="danger"
          words={text.sidebar.problems(problems)}
          onPress={() => show({ kind: 'problems' })}
        />
      )}
      {isOwner ? (
        <FootButton
          icon={isPaused ? 'play' : 'paused'}
          words={isPaused ? text.sidebar.resumeAll : text.sidebar.pauseAll}
          onPress={() => pauseAll(!isPaused)}
        />
      ) : null}
      <FootButton icon="keyboard" words={text.sidebar.help} onPress={() => setHelpOpen(true)} />
      <Usage />
    </div>
  );
}

function Usage(): ReactNode {
  const text = useText();
  const usage = useWindow(({ home }) => home?.usage ?? null);
  if (usage === null) return null;
  const limit = usage.limitMicroUsd === null ? null : moneyText(usage.limitMicroUsd);
  return <p className="sidebar-usage">{text.sidebar.usage(moneyText(usage.dayMicroUsd), limit)}</p>;
}

function FootButton(props: {
  readonly icon: IconName;
  readonly tone?: string;
  readonly words: string;
  readonly onPress: () => void;
}): ReactNode {
  const { icon, tone = 'muted', words, onPress } = props;
  return (
    <button type="button" className="foot-button" onClick={onPress}>
      <Icon name={icon} tone={tone} />
      {words}
    </button>
  );
}
