/** At most `intensity` restarts within `periodMs`; the delay doubles from `firstDelayMs` up to `longestDelayMs`. */
export interface RestartPolicy {
  readonly intensity: number;
  readonly periodMs: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

/** Monotonic ms of the failures that still count, oldest first. */
export type FailureTimes = readonly number[];

/** What to do after one more failure; `failures` is the history to keep for the next decision. */
export type RestartDecision =
  | { readonly kind: 'restart'; readonly afterMs: number; readonly failures: FailureTimes }
  | { readonly kind: 'give_up'; readonly failures: FailureTimes };

/**
 * Decides after a failure at `atMs`: failures older than the period are forgotten, so a child that ran well for that long
 * starts again with the shortest delay; more than `intensity` within the period give up.
 */
export function decideRestart(policy: RestartPolicy, earlier: FailureTimes, atMs: number): RestartDecision {
  const failures = [...earlier.filter((time) => atMs - time < policy.periodMs), atMs];
  if (failures.length > policy.intensity) return { kind: 'give_up', failures };
  const delay = policy.firstDelayMs * 2 ** (failures.length - 1);
  return { kind: 'restart', afterMs: Math.min(delay, policy.longestDelayMs), failures };
}
