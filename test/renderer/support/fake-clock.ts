import type { Clock } from '../../../shared/base/ports.ts';

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/** A clock that moves only when told to. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + ms, fn };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves on by `ms` and fires what is due, in order. */
  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers]
        .filter(({ at }) => at <= until)
        .sort((left, right) => left.at - right.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.fn();
    }
    this.#now = until;
  }
}
