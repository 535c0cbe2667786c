import type { Clock, Ids } from '../../../shared/base/ports.ts';

/** A clock that only moves when told. */
export interface TestClock extends Clock {
  advance(ms: number): void;
  set(at: number): void;
}

/** 2026-03-10 12:00:00 UTC. */
export const testStart = Date.UTC(2026, 2, 10, 12);

export function createTestClock(start = testStart): TestClock {
  let now = start;
  return {
    now: () => now,
    monotonic: () => 0,
    after: () => () => undefined,
    advance: (ms) => {
      now += ms;
    },
    set: (at) => {
      now = at;
    },
  };
}

/** Ids that count: the same calls give the same ids. `from` keeps them apart from those of an earlier run. */
export function createTestIds(from = 0): Ids {
  let count = from;
  return {
    next: (prefix) => {
      count += 1;
      return `${prefix}_${String(count).padStart(6, '0')}`;
    },
    random: (bytes) => 'ab'.repeat(bytes),
  };
}
