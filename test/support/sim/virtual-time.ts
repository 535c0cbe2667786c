import type { Clock } from '../../../shared/base/ports.ts';
import type { Life } from './life.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly life: Life;
  fn: (() => void) | null;
}

/** Time that moves only when it is told to; monotonic and wall time apart, so that the wall clock can jump. */
export class VirtualTime {
  mono = 0;
  #offset: number;
  #slept = 0;
  #order = 0;
  readonly #timers: Timer[] = [];

  constructor(startWall: number) {
    this.#offset = startWall;
  }

  get wall(): number {
    return this.mono + this.#offset;
  }

  /** The wall clock is set anew: monotonic time does not notice. */
  jump(ms: number): void {
    this.#offset += ms;
  }

  /** The machine sleeps: the wall clock and the time since boot go on without anybody. */
  sleep(ms: number): void {
    this.#offset += ms;
    this.#slept += ms;
  }

  /** Monotonic time with the sleep of the machine. */
  get sinceBoot(): number {
    return this.mono + this.#slept;
  }

  /** The clock as one process sees it; its timers die with it. */
  clock(life: Life): Clock {
    return {
      now: () => this.wall,
      monotonic: () => this.mono,
      after: (ms, fn) => this.#after(life, ms, fn),
    };
  }

  /** Monotonic time of the next timer of a living process. */
  nextAt(): number | null {
    this.#dropDead();
    return this.#timers[0]?.at ?? null;
  }

  /** Moves to the next timer and runs it. */
  fireNext(): void {
    this.#dropDead();
    const timer = this.#timers.shift();
    if (!timer) return;
    this.mono = Math.max(this.mono, timer.at);
    const { fn } = timer;
    timer.fn = null;
    fn?.();
  }

  #after(life: Life, ms: number, fn: () => void): () => void {
    const timer: Timer = { at: this.mono + Math.max(0, ms), order: (this.#order += 1), life, fn };
    let index = this.#timers.length;
    while (index > 0 && (this.#timers[index - 1]?.at ?? 0) > timer.at) index -= 1;
    this.#timers.splice(index, 0, timer);
    return () => {
      timer.fn = null;
    };
  }

  #dropDead(): void {
    while (this.#timers[0] && (this.#timers[0].fn === null || !this.#timers[0].life.alive))
      this.#timers.shift();
  }
}
