import { errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';

/** When the store could not say what may run, it is asked again after this. */
const retryMs = 1_000;

/** What a pump works with; `look` goes once over everything that may run. */
export interface PumpParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly problems: ProblemPort;
  readonly look: () => Promise<void>;
}

/** Looks for what may run, one look at a time; a call during a look makes another one follow. Faults are told and tried again. */
export class Pump {
  readonly #parts: PumpParts;
  #started = false;
  #stopping = false;
  #isLooking = false;
  #looking: Promise<void> = Promise.resolve();
  #again = false;

  constructor(parts: PumpParts) {
    this.#parts = parts;
  }

  /** It was started and not stopped. */
  get runs(): boolean {
    return this.#started && !this.#stopping;
  }

  /** Nothing is looked for before this. */
  start(): void {
    this.#started = true;
    this.call();
  }

  /** Looks soon; call it whenever something may have become due. */
  call(): void {
    if (!this.runs) return;
    this.#again = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#looking = this.#lookWhileAsked();
  }

  /** No new look; resolves when the one under way is over. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#looking;
  }

  /** The flag falls in the same instant in which the loop sees that nobody asked again: no call in between is lost. */
  async #lookWhileAsked(): Promise<void> {
    const { clock, log, problems, look } = this.#parts;
    try {
      while (this.#again && !this.#stopping) {
        this.#again = false;
        await look();
        problems.clear('sessions');
      }
    } catch (error) {
      const message = errorMessage(error);
      problems.set('sessions', `Sessions cannot be started: ${message}`, 'See kairos logs.');
      log.error({ error: message }, 'pump failed');
      clock.after(retryMs, () => this.call(), { keepAlive: false });
    } finally {
      this.#isLooking = false;
    }
  }
}
