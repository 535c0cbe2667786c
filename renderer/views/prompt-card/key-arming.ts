/** A key answers only after the card had the focus for this long, ms (ux.md section 4). */
export const armingMs = 500;

/**
 * Decides whether a key or a press may answer. Keys: the card has had the focus for 500 ms, showing this same prompt, and no
 * other key is down (one that was held when the focus came has to be let go first). Presses: the prompt was there for 500 ms, so
 * that a click meant for what was under the pointer before answers nothing.
 */
export class KeyArming {
  readonly #held = new Set<string>();
  #focusedAt: number | null = null;
  #shownAt: number;

  constructor(now: number) {
    this.#shownAt = now;
  }

  /** Another prompt is shown. */
  shown(now: number): void {
    this.#shownAt = now;
    if (this.#focusedAt !== null) this.#focusedAt = now;
  }

  focused(now: number): void {
    this.#focusedAt ??= now;
  }

  blurred(): void {
    this.#focusedAt = null;
  }

  keyDown(code: string): void {
    this.#held.add(code);
  }

  keyUp(code: string): void {
    this.#held.delete(code);
  }

  /** The page lost the keyboard: ends of presses are no longer heard. */
  forgetKeys(): void {
    this.#held.clear();
  }

  /** Whether the key `code`, pressed now and not repeated, counts. */
  takesKey(code: string, now: number): boolean {
    const others = [...this.#held].filter((held) => held !== code);
    return this.#isFocusedLong(now) && others.length === 0;
  }

  #isFocusedLong(now: number): boolean {
    return this.#focusedAt !== null && now - this.#focusedAt >= armingMs;
  }

  /** Whether the focused button, pressed by whichever key, counts. */
  takesButtonKey(now: number): boolean {
    return this.#isFocusedLong(now) && this.#held.size <= 1;
  }

  takesPress(now: number): boolean {
    return now - this.#shownAt >= armingMs;
  }
}
