/** How long an answer may keep a session waiting, in ms. */
export interface ModelTimes {
  /** From the request to the first byte of its answer: connecting, queueing and reading the prompt are in it. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer; signs of life (`ping`, comments) count. */
  readonly silenceMs: number;
  /** A whole answer. */
  readonly wholeMs: number;
}

/** The times of every request. Providers send signs of life about every 15 s; 15 min is 8,192 tokens at 9 per second. */
export const modelTimes: ModelTimes = { firstByteMs: 60_000, silenceMs: 120_000, wholeMs: 15 * 60_000 };

/** So many times the silence a server may send nothing but signs of life: one that only pings does not answer. */
export const pingsStretch = 3;

/** How long one model is asked again before the next one is, or the session is parked. */
export interface RetryLimits {
  /** Requests in all. */
  readonly attempts: number;
  /** Requests in all once part of an answer had come: each of those is paid for. */
  readonly attemptsStreamed: number;
  /** Longest sum of all waits, ms. */
  readonly totalWaitMs: number;
  /** The same while another model stands ready. */
  readonly totalWaitBeforeNextMs: number;
  /** First wait; each later one is twice as long, up to `longestWaitMs`. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** The limits of every request: about five minutes for the last model of the list, 20 s for those before it. */
export const retryLimits: RetryLimits = {
  attempts: 8,
  attemptsStreamed: 4,
  totalWaitMs: 5 * 60_000,
  totalWaitBeforeNextMs: 20_000,
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
};

/** The limits where a person set how often a model is asked again, and how long all waits may be. */
export function limitsOf({
  attempts,
  totalWaitMs,
}: Pick<RetryLimits, 'attempts' | 'totalWaitMs'>): RetryLimits {
  const totalWaitBeforeNextMs = Math.min(totalWaitMs, retryLimits.totalWaitBeforeNextMs);
  return { ...retryLimits, attempts, totalWaitMs, totalWaitBeforeNextMs };
}
