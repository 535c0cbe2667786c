import type { Clock } from '../../../../shared/base/ports.ts';

/** Asks for a run; many asks before it begins are one run. */
export interface Coalescer {
  ask(): void;
  stop(): void;
}

/**
 * Runs `job` soon after it was asked for, never twice at once, and at least `spacingMs` after its last begin: the first ask
 * after a quiet time runs in this turn of the event loop, a burst is bounded by its spacing and not by its length.
 */
export function createCoalescer(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  spacingMs: number,
  job: () => Promise<void>,
): Coalescer {
  let state: 'idle' | 'waiting' | 'running' | 'stopped' = 'idle';
  let again = false;
  let lastBegin = Number.NEGATIVE_INFINITY;
  let cancel = (): void => undefined;

  const begin = (): void => {
    if (state === 'stopped') return;
    state = 'running';
    again = false;
    lastBegin = clock.monotonic();
    void job().finally(() => {
      if (state === 'stopped') return;
      state = 'idle';
      if (again) schedule();
    });
  };
  const schedule = (): void => {
    state = 'waiting';
    const wait = lastBegin + spacingMs - clock.monotonic();
    if (wait <= 0) queueMicrotask(begin);
    else cancel = clock.after(wait, begin, { keepAlive: false });
  };
  return {
    ask() {
      if (state === 'idle') schedule();
      else again = true;
    },
    stop() {
      state = 'stopped';
      cancel();
    },
  };
}
