import { type ReactNode, useEffect, useState } from 'react';
import { isGone } from '../../../shared/viewing/link.ts';
import { Button } from '../../ui/button.tsx';
import { CopyCommand } from '../../ui/copy-command.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useActs, useText, useWindow, useWindowClock } from '../../ui/window-context.tsx';

/** A connection that is back within this many ms was never gone, as far as a person is concerned. */
const unnoticedMs = 300;

/** What is wrong with the connection, and safe mode; nothing when all is well. */
export function LinkBar(): ReactNode {
  const link = useWindow((state) => state.link);
  if (link.kind === 'live') return <SafeMode />;
  if (isGone(link)) return <Gone />;
  return <Waiting isFirst={link.kind === 'connecting'} />;
}

function Waiting({ isFirst }: { isFirst: boolean }): ReactNode {
  const text = useText();
  const isLong = useIsLong();
  if (!isLong) return null;
  return (
    <div className="bar is-working">
      <Icon name="working" tone="accent" />
      <p>{isFirst ? text.link.connecting : text.link.reconnecting}</p>
    </div>
  );
}

function Gone(): ReactNode {
  const text = useText();
  const { nudge } = useActs();
  return (
    <div className="bar is-danger">
      <Icon name="problem" tone="danger" />
      <p>
        {text.link.gone} {text.link.goneNext}
      </p>
      <CopyCommand command={text.link.startCommand} />
      <Button onPress={nudge}>{text.link.tryNow}</Button>
    </div>
  );
}

function SafeMode(): ReactNode {
  const text = useText();
  const safe = useWindow(({ home }) => home?.daemon.safe ?? null);
  if (safe === null) return null;
  return (
    <div className="bar is-danger">
      <Icon name="problem" tone="danger" />
      <p>{text.link.safeMode(safe)}</p>
    </div>
  );
}

/** True once the component has been there long enough to be worth a word. */
function useIsLong(): boolean {
  const clock = useWindowClock();
  const [isLong, setLong] = useState(false);
  useEffect(() => clock.after(unnoticedMs, () => setLong(true)), [clock]);
  return isLong;
}
