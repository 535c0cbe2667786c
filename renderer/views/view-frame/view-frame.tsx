import { type ReactNode, useEffect, useState } from 'react';
import type { Fault } from '../../../shared/viewing/fault.ts';
import { Button } from '../../ui/button.tsx';
import { useText, useWindowClock } from '../../ui/window-context.tsx';
import { PaneHead } from '../shell/pane-head.tsx';
import { stopProps } from '../shell/stops.ts';
import './view-frame.css';

/** A shorter wait is not worth a word, ms. */
const unnoticedMs = 300;

/** A view besides the conversation: its title, what can be done, and a column that scrolls. */
export function ViewFrame(props: {
  readonly title: ReactNode;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <PaneHead title={props.title}>{props.acts}</PaneHead>
      <div className="view" tabIndex={-1} {...stopProps}>
        <div className="view-column">{props.children}</div>
      </div>
    </>
  );
}

/** What stands in a view while its answer is not there: nothing at first, then a word; or why it did not come. */
export function ViewWaiting({ fault, again }: { fault: Fault | null; again: () => void }): ReactNode {
  const text = useText();
  const clock = useWindowClock();
  const [isLong, setLong] = useState(false);
  useEffect(() => clock.after(unnoticedMs, () => setLong(true)), [clock]);
  if (fault === null) return isLong ? <p className="tone-muted">{text.views.loading}</p> : null;
  return (
    <div className="view-fault" role="alert">
      <p>
        {text.views.failed} {fault.status === 0 ? '' : `${fault.message} ${fault.next}`}
      </p>
      <Button onPress={again}>{text.views.again}</Button>
    </div>
  );
}
