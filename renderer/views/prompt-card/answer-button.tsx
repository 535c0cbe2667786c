import type { MouseEvent, ReactNode } from 'react';
import { useWindowClock } from '../../ui/window-context.tsx';
import type { KeyArming } from './key-arming.ts';

/** A button that answers. A click counts 500 ms after the prompt appeared; Enter or Space only as an armed key that is not held. */
export function AnswerButton(props: {
  readonly letter: string | null;
  readonly look: 'deny' | 'allow' | 'plain';
  readonly isDisabled: boolean;
  readonly arming: KeyArming;
  readonly onAnswer: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { letter, look, isDisabled, arming, onAnswer, children } = props;
  const clock = useWindowClock();
  const press = ({ detail }: MouseEvent): void => {
    const now = clock.monotonic();
    const isByKey = detail === 0;
    if ((!isByKey || arming.takesButtonKey(now)) && arming.takesPress(now)) onAnswer();
  };
  return (
    <button
      type="button"
      className={`button answer is-${look}`}
      disabled={isDisabled}
      onClick={press}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
    >
      {children}
      {letter === null ? null : <kbd aria-hidden="true">{letter}</kbd>}
    </button>
  );
}
