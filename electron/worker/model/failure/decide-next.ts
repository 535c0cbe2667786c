import type { RetryLimits } from '../limits.ts';
import { type ModelFailure, remedyFor } from './model-failure.ts';

/** What was tried with one model for one request. */
export interface Tries {
  /** Requests made, the failed one included. */
  readonly made: number;
  readonly waitedMs: number;
  /** A fresh credential was asked for already. */
  readonly refreshed: boolean;
  /** Part of the failed answer had come. */
  readonly streamed: boolean;
  /** Another model stands ready. */
  readonly hasNext: boolean;
}

/** What follows a failed request. `next_model` is only said when there is one. */
export type NextMove =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'next_model' }
  | { readonly kind: 'give_up' };

/** Decides it. `chance` is a number from 0 to 1 that spreads the waits of several sessions. */
export function decideNext(
  failure: ModelFailure,
  tries: Tries,
  limits: RetryLimits,
  chance: number,
): NextMove {
  const leave: NextMove = { kind: tries.hasNext ? 'next_model' : 'give_up' };
  switch (remedyFor(failure)) {
    case 'again':
      return wait(failure, tries, limits, chance) ?? leave;
    case 'credential':
      return tries.refreshed ? leave : { kind: 'refresh' };
    // The loop compacts; another model would only be given the same heap.
    case 'shorten':
      return { kind: 'give_up' };
    case 'none':
      return leave;
  }
}

function wait(failure: ModelFailure, tries: Tries, limits: RetryLimits, chance: number): NextMove | null {
  const most = tries.streamed ? Math.min(limits.attempts, limits.attemptsStreamed) : limits.attempts;
  const longest = tries.hasNext ? limits.totalWaitBeforeNextMs : limits.totalWaitMs;
  const asked = failure.kind === 'http' ? failure.retryAfterMs : null;
  const ms = asked === null ? backOff(tries.made, limits, chance) : askedWait(asked, chance);
  return tries.made < most && tries.waitedMs + ms <= longest ? { kind: 'wait', ms } : null;
}

/** Half of it is certain, half is chance. */
function backOff(made: number, { firstWaitMs, longestWaitMs }: RetryLimits, chance: number): number {
  const whole = Math.min(longestWaitMs, firstWaitMs * 2 ** (made - 1));
  return Math.round(whole / 2 + (chance * whole) / 2);
}

/** Never earlier than asked, and not all sessions at the same instant. */
function askedWait(ms: number, chance: number): number {
  return Math.round(ms + chance * Math.min(1000, 100 + ms / 10));
}
