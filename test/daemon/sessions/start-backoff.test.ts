import { expect, it } from 'vitest';
import { StartBackoff } from '../../../electron/daemon/sessions/start-backoff.ts';
import type { Clock } from '../../../shared/base/ports.ts';

it('is over when its timer fires, also when that is a moment early by the clock', () => {
  const timers: [number, () => void][] = [];
  const clock: Clock = {
    now: () => 0,
    // Never moves: every timer fires too early.
    monotonic: () => 0,
    after: (ms, fn) => {
      timers.push([ms, fn]);
      return () => undefined;
    },
  };
  const told: string[] = [];
  const problems = {
    set: (code: string) => void told.push(code),
    clear: (code: string) => void told.push(`no ${code}`),
  };
  const backoff = new StartBackoff({ clock, problems });
  const held: boolean[] = [];
  backoff.failed('x', () => held.push(backoff.holds));
  backoff.failed('y', () => held.push(backoff.holds));
  const during = backoff.holds;
  for (const [, fire] of timers) fire();
  backoff.succeeded();
  expect({ waits: timers.map(([ms]) => ms), during, held, after: backoff.holds, told }).toEqual({
    waits: [250, 500],
    during: true,
    held: [true, false],
    after: false,
    told: ['worker_start', 'worker_start', 'no worker_start'],
  });
});
