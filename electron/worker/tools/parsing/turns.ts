import type { StopSignal } from '../../../../shared/base/ports.ts';

/** Lets a few go at once and the others wait in the order in which they came. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves when it is one's turn, with what gives it back (call it once); null when the signal came first. */
  take(signal: StopSignal): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', giveUp);
        this.#free -= 1;
        resolve(() => this.#giveBack());
      };
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(go);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(null);
      };
      if (signal.aborted) return giveUp();
      if (this.#free > 0) return go();
      signal.addEventListener('abort', giveUp);
      this.#waiting.push(go);
    });
  }

  #giveBack(): void {
    this.#free += 1;
    this.#waiting.shift()?.();
  }
}
