const century = 100 * 365.25 * 24 * 3600 * 1000;

/**
 * How an instant is stored from which something is due: one that has come already is kept a century earlier, so that a wall
 * clock that is set back cannot take it back. One that is ahead stays as it is. Wall ms.
 */
export function storedDue(at: number, now: number): number {
  return at <= now ? at - century : at;
}

/** The instant that a stored due time stands for. */
export function dueInstant(stored: number): number {
  return stored < 0 ? stored + century : stored;
}
