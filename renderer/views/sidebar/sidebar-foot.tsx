import type { ReactNode } from 'react';
import { may, type Pane } from '../../store/window-state.ts';
import { moneyText } from '../../text/time-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';

/** The other views, and what concerns everything: pausing, keys, and today's cost. */
export function SidebarFoot(): ReactNode {
  const text = useText();
  const { nav } = text.views;
  const problems = useWindow(({ home }) => home?.problems.length ?? 0);
  const asking = useWindow(({ home }) => home?.prompts.length ?? 0);
  const isOwner = useWindow((state) => may(state, 'owner'));
  return (
    <div className="sidebar-foot">
      <ul aria-label={nav.label}>
        <FootLink
          icon="shield"
          pane={{ kind: 'approvals', tab: 'pending' }}
          words={nav.approvals}
          count={asking}
        />
        <FootLink icon="chart" pane={{ kind: 'usage' }} words={nav.usage} />
        {isOwner ? <FootLink icon="gear" pane={{ kind: 'settings' }} words={nav.settings} /> : null}
        <FootLink
          icon={problems === 0 ? 'pulse' : 'problem'}
          pane={{ kind: 'doctor' }}
          words={problems === 0 ? nav.doctor : text.sidebar.problems(problems)}
          tone={problems === 0 ? 'muted' : 'danger'}
        />
      </ul>
      <Everything isOwner={isOwner} />
    </div>
  );
}

function Everything({ isOwner }: { isOwner: boolean }): ReactNode {
  const text = useText();
  const { pauseAll, setHelpOpen } = useActs();
  const isPaused = useWindow(({ home }) => home?.paused ?? false);
  return (
    <div className="sidebar-everything">
      <Usage />
      {isOwner ? (
        <IconButton
          icon={isPaused ? 'play' : 'paused'}
          label={isPaused ? text.sidebar.resumeAll : text.sidebar.pauseAll}
          onPress={() => pauseAll(!isPaused)}
        />
      ) : null}
      <IconButton icon="keyboard" label={text.sidebar.help} onPress={() => setHelpOpen(true)} />
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

function FootLink(props: {
  readonly icon: IconName;
  readonly pane: Pane;
  readonly words: string;
  readonly tone?: string;
  readonly count?: number;
}): ReactNode {
  const { icon, pane, words, tone = 'muted', count = 0 } = props;
  const { show } = useActs();
  const isOpen = useWindow((state) => state.pane.kind === pane.kind);
  return (
    <li>
      <button
        type="button"
        className="foot-button"
        aria-current={isOpen ? 'page' : undefined}
        onClick={() => show(pane)}
      >
        <Icon name={icon} tone={tone} />
        {words}
        {count === 0 ? null : <span className="foot-count">{count}</span>}
      </button>
    </li>
  );
}
