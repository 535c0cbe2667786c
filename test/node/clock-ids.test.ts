import { expect, test, vi } from 'vitest';
import { systemClock } from '../../electron/node/clock.ts';
import { createSystemIds } from '../../electron/node/ids.ts';

test('ids carry their kind and sort by their making, also within one ms and when the clock steps back', () => {
  const times = [5, 5, 5, 3, 6, 1_800_000_000_000];
  const ids = createSystemIds({ now: () => times.shift() ?? 0 });
  const made = Array.from({ length: 6 }, () => ids.next('ses'));
  expect(made.every((id) => /^ses_[0-9A-HJKMNP-TV-Z]{26}$/.test(id))).toBe(true);
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(6);
  expect(ids.random(4)).toMatch(/^[0-9a-f]{8}$/);
});

test('a timer longer than Node’s longest still waits, and can be cancelled', () => {
  vi.useFakeTimers();
  const [fired, cancelled] = [vi.fn(), vi.fn()];
  const days = 24 * 60 * 60 * 1_000;
  systemClock.after(40 * days, fired, { keepAlive: false });
  const cancel = systemClock.after(40 * days, cancelled);
  vi.advanceTimersByTime(39 * days);
  expect(fired).not.toHaveBeenCalled();
  cancel();
  cancel();
  vi.advanceTimersByTime(2 * days);
  expect(fired).toHaveBeenCalledTimes(1);
  expect(cancelled).not.toHaveBeenCalled();
  vi.useRealTimers();
});
