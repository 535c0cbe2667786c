import type { Cancel, Clock } from '../shared/base/ports.ts';

const nothing = (): void => undefined;

/** The browser's clock. `keepAlive` means nothing here: a page lives as long as its tab. */
export const browserClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, fn): Cancel {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

/** A new uuid for a message, from the browser's cryptographic source. */
export function newUuid(): string {
  return crypto.randomUUID();
}

/** Calls `fn` every `ms` until cancelled. For what a person watches (running seconds), never for asking the daemon. */
export function every(clock: Clock, ms: number, fn: () => void): Cancel {
  let cancel: Cancel = nothing;
  const next = (): void => {
    cancel = clock.after(ms, () => {
      fn();
      next();
    });
  };
  next();
  return () => cancel();
}
