import { useEffect, useState } from 'react';
import { every } from '../ports.ts';
import { useWindowClock } from './window-context.tsx';

/** The wall time, renewed every `ms` while shown; null stands still. */
export function useNow(ms: number | null): number {
  const clock = useWindowClock();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => (ms === null ? undefined : every(clock, ms, () => setNow(clock.now()))), [clock, ms]);
  return now;
}
