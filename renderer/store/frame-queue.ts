import type { Clock } from '../../shared/base/ports.ts';

/** One picture of a screen at 60 Hz, ms: nobody sees more of them. */
const pictureMs = 16;

/**
 * Gives frames on at most once per picture: the first at once, what comes within the same picture together at its end. A busy
 * session sends hundreds a second, and each change of the store draws the window.
 */
export class FrameQueue<Frame> {
  readonly #clock: Clock;
  readonly #apply: (frames: readonly Frame[]) => void;
  #waiting: Frame[] = [];
  #quietUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, apply: (frames: readonly Frame[]) => void) {
    this.#clock = clock;
    this.#apply = apply;
  }

  push(frame: Frame): void {
    this.#waiting.push(frame);
    if (this.#waiting.length > 1) return;
    const left = this.#quietUntil - this.#clock.monotonic();
    if (left <= 0) this.#flush();
    else this.#clock.after(left, () => this.#flush());
  }

  #flush(): void {
    const frames = this.#waiting;
    this.#waiting = [];
    this.#apply(frames);
    this.#quietUntil = this.#clock.monotonic() + pictureMs;
  }
}
