import type { ReactNode } from 'react';
import { agoText, clockText, fullTimeText } from '../text/time-text.ts';
import { useText } from './window-context.tsx';
import { useNow } from './use-now.ts';

/** A moment as the time since; hover shows it whole. */
export function Ago({ at }: { at: number }): ReactNode {
  const text = useText();
  const now = useNow(30_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTimeText(text, at)}>
      {agoText(text, at, now)}
    </time>
  );
}

/** A moment as hours and minutes; hover shows it whole. */
export function At({ at }: { at: number }): ReactNode {
  const text = useText();
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTimeText(text, at)}>
      {clockText(text, at)}
    </time>
  );
}
