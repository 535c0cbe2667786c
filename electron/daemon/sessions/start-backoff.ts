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
  /** The pause that is under way: a timer may fire a moment before the clock says so, so that the clock is not asked. */
  #pause: object | null = null;

  constructor(ports: { readonly clock: Clock; readonly problems: ProblemPort }) {
    this.#clock = ports.clock;
    this.#problems = ports.problems;
  }

  /** True while no worker may be started. */
  get holds(): boolean {
    return this.#pause !== null;
  }

  /** A worker died before it was ready; `again` is called when one may be tried. */
  failed(reason: string, again: () => void): void {
    const wait = Math.min(firstWaitMs * 2 ** this.#failures, longestWaitMs);
    this.#failures += 1;
    this.#problems.set(
      code,
      `A worker cannot start: ${reason}`,
      'It is tried again. After an update or a build: kairos daemon restart',
    );
    const pause = {};
    this.#pause = pause;
    const over = (): void => {
      if (this.#pause === pause) this.#pause = null;
      again();
    };
    this.#clock.after(wait, over, { keepAlive: false });
  }

  /** A worker is there: the trouble is over. */
  succeeded(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#pause = null;
    this.#problems.clear(code);
  }
}
