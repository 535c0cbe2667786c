import type { Cancel, Clock } from '../../../shared/base/ports.ts';

/** When sessions run, and what to do when none does. */
export interface QuietPorts {
  readonly clock: Clock;
  /** Calls when anything about running sessions changed. */
  readonly onLive: (listener: () => void) => () => void;
  readonly running: () => number;
  /** Gives memory back; may hold the thread for tens of milliseconds. */
  readonly tidy: () => void;
}

/** Without a running session for so long, nobody notices a pause; ms. */
export const quietBeforeTidyMs = 5_000;

/**
 * Gives memory back once after each time in which sessions ran (and once after the start): without work V8 sees no reason to
 * collect, and a burst would stay in memory for days. Stops when called.
 */
export function tidyWhenQuiet({ clock, onLive, running, tidy }: QuietPorts): () => void {
  let cancel: Cancel | null = null;
  const wait = (): void => {
    cancel?.();
    cancel = running() > 0 ? null : clock.after(quietBeforeTidyMs, tidyNow, { keepAlive: false });
  };
  const tidyNow = (): void => {
    cancel = null;
    if (running() === 0) tidy();
  };
  const off = onLive(wait);
  wait();
  return () => {
    off();
    cancel?.();
  };
}
