import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait and how often to look, ms; `what` completes "waited in vain for ...". */
export interface WaitOptions {
  readonly what: string;
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Looks until `look` gives something other than undefined, false or null; rejects with `what` and the last error. */
export async function waitFor<Value>(
  look: () => Promise<Value | undefined | false | null> | Value | undefined | false | null,
  { what, withinMs = 10_000, everyMs = 20 }: WaitOptions,
): Promise<Value> {
  const until = performance.now() + withinMs;
  for (;;) {
    let last: unknown;
    try {
      const value = await look();
      if (value !== undefined && value !== false && value !== null) return value;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= until) {
      throw new Error(`waited ${withinMs} ms in vain for ${what}`, last === undefined ? {} : { cause: last });
    }
    await delay(everyMs);
  }
}
