import { type RefObject, useEffect, useState } from 'react';
import { useWindowClock } from '../../ui/window-context.tsx';
import { KeyArming } from './key-arming.ts';

/** Keeps the arming of a card: watches focus and keys, and starts anew with every prompt. */
export function useArming(card: RefObject<HTMLElement | null>, prompt: string): KeyArming {
  const clock = useWindowClock();
  const [arming] = useState(() => new KeyArming(clock.monotonic()));
  useEffect(() => arming.shown(clock.monotonic()), [arming, clock, prompt]);
  useEffect(() => {
    const abort = new AbortController();
    const options = { capture: true, signal: abort.signal };
    window.addEventListener('keydown', ({ code }) => arming.keyDown(code), options);
    window.addEventListener('keyup', ({ code }) => arming.keyUp(code), options);
    window.addEventListener('blur', () => arming.forgetKeys(), { signal: abort.signal });
    card.current?.addEventListener('focusin', () => arming.focused(clock.monotonic()), options);
    card.current?.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && card.current?.contains(relatedTarget))) arming.blurred();
      },
      options,
    );
    return () => abort.abort();
  }, [arming, card, clock]);
  return arming;
}
