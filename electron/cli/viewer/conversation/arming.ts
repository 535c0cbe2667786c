/** Keys answer only after the card had the focus, showing this same prompt, for this long without another key, ms (ux.md, 4). */
export const armingMs = 500;

/** When a card was last disturbed: it got the focus, another prompt came, or a key came too early. Monotonic ms; null: no focus. */
export type Armed = number | null;

/**
 * Whether a key that comes now may answer, and the arming after it. A terminal tells no key that goes up: one that is held repeats
 * faster than the time it would have to be quiet, so that it never answers.
 */
export function takesKey(armed: Armed, now: number): { readonly takes: boolean; readonly armed: Armed } {
  if (armed === null) return { takes: false, armed };
  return now - armed >= armingMs ? { takes: true, armed } : { takes: false, armed: now };
}
