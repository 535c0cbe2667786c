import type { IncomingHttpHeaders } from 'node:http';
import type { Ask } from './ask.ts';
import type { Outcome } from './play.ts';
import type { CacheFigures } from './prompt-cache.ts';

/** One request as it arrived; headers hold the key, so print them nowhere. */
export interface SeenRequest {
  /** From 1 on, in the order of arrival. */
  readonly number: number;
  /** Milliseconds since 1970 when the body was complete. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** Parsed; undefined when it was not JSON. */
  readonly body: unknown;
  /** undefined when the request was refused. */
  readonly ask: Ask | undefined;
  /** Why it was refused. */
  readonly problem: string | undefined;
  /** The prompt's tokens with the cache as it was. */
  readonly prompt: CacheFigures | undefined;
  readonly outcome: Promise<Outcome>;
}

/** The requests so far, and the next ones. */
export interface RequestLog {
  readonly all: readonly SeenRequest[];
  add(request: SeenRequest): void;
  /** Each request once, in order; waits for one that has not come yet. */
  next(): Promise<SeenRequest>;
}

/** An empty log. */
export function createRequestLog(): RequestLog {
  const all: SeenRequest[] = [];
  const waiting: ((request: SeenRequest) => void)[] = [];
  let taken = 0;
  return {
    all,
    add(request) {
      all.push(request);
      const first = waiting.shift();
      if (first === undefined) return;
      taken += 1;
      first(request);
    },
    next: () =>
      new Promise((resolve) => {
        const ready = all[taken];
        if (ready === undefined) waiting.push(resolve);
        else {
          taken += 1;
          resolve(ready);
        }
      }),
  };
}

/** The share of all prompt tokens that came from the cache, 0 to 1; 0 for no request. */
export function cacheReadShare(requests: readonly SeenRequest[]): number {
  const figures = requests.flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt]));
  const total = figures.reduce((sum, one) => sum + one.input + one.cacheRead + one.cacheWrite, 0);
  const read = figures.reduce((sum, { cacheRead }) => sum + cacheRead, 0);
  return total === 0 ? 0 : read / total;
}
