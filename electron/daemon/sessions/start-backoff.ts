import type { Clock } from '../../../shared/base/ports.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';

const firstWaitMs = 250;
const longestWaitMs = 10_000;
const code = 'worker_start';

/** Workers that die before they are ready are started again with a growing pause, and people are told. */
export class StartBackoff {
  readonly #clock: Clock;
  readonly #problems: ProblemPort;
  #failures = 0;
  #until = 0;

  constructor(ports: { readonly clock: Clock; readonly problems: ProblemPort }) {
    this.#clock = ports.clock;
    this.#problems = ports.problems;
  }

  /** True while no worker may be started. */
  get holds(): boolean {
    return this.#clock.monotonic() < this.#until;
  }

  /** A worker died before it was ready; `again` is called when one may be tried. */
  failed(reason: string, again: () => void): void {
    const wait = Math.min(firstWaitMs * 2 ** this.#failures, longestWaitMs);
    this.#failures += 1;
    this.#until = this.#clock.monotonic() + wait;
    this.#problems.set(code, `A worker cannot start: ${reason}`, 'See kairos logs; it is tried again.');
    this.#clock.after(wait, again, { keepAlive: false });
  }

  /** A worker is there: the trouble is over. */
  succeeded(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#problems.clear(code);
  }
}
