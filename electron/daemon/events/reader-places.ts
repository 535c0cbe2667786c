import { KairosError } from '../../../shared/base/errors.ts';

interface Waiting {
  readonly go: () => void;
  readonly refuse: (error: KairosError) => void;
}

/** Places for readers of one kind: so many at once, the next wait in their order, and beyond `mostWaiting` they are refused. */
export class ReaderPlaces {
  readonly #mostWaiting: number;
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor(places: number, mostWaiting: number) {
    this.#free = places;
    this.#mostWaiting = mostWaiting;
  }

  /** Resolves when there is a place; rejects with `busy` when too many wait. Whoever got one gives it back. */
  take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#mostWaiting) return Promise.reject(tooMany());
    return new Promise((go, refuse) => this.#waiting.push({ go, refuse }));
  }

  /** The next one that waits takes it over. */
  give(): void {
    const next = this.#waiting.shift();
    if (next) next.go();
    else this.#free += 1;
  }

  /** Nobody waits any more. */
  refuseWaiting(): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(tooMany());
  }
}

function tooMany(): KairosError {
  const next = 'Try again in a moment; nothing was changed.';
  return new KairosError('busy', 'Too many searches, exports or backups run at once.', { next });
}
