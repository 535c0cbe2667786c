import { errorCode } from '../../../shared/base/errors.ts';
import type { Cancel, Clock } from '../../../shared/base/ports.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';

/** How often it is looked whether the disk has room again. */
const retryMs = 1000;

/**
 * Stores what has happened and must not be forgotten: while the disk is full it is tried again and people are told, instead
 * of failing a session that has done nothing wrong. A verb that was refused for want of space has changed nothing.
 */
export class FullDiskPatience {
  readonly #clock: Clock;
  readonly #problems: ProblemPort;
  readonly #waiting = new Set<() => void>();
  #stopped = false;

  constructor(ports: { readonly clock: Clock; readonly problems: ProblemPort }) {
    this.#clock = ports.clock;
    this.#problems = ports.problems;
  }

  /** The verb's answer, however long that takes; other faults and, after `stop`, a full disk reject. `wanted` false: gives up. */
  async run<Answer>(verb: () => Promise<Answer>, wanted: () => boolean = () => true): Promise<Answer> {
    for (;;) {
      try {
        const answer = await verb();
        if (this.#waiting.size === 0) this.#problems.clear('disk_full');
        return answer;
      } catch (error) {
        if (errorCode(error) !== 'disk_full' || this.#stopped || !wanted()) throw error;
        this.#problems.set(
          'disk_full',
          'The disk is full: nothing more can be stored.',
          'Free some space; Kairos goes on by itself.',
        );
        await this.#pause();
        if (this.#stopped || !wanted()) throw error;
      }
    }
  }

  /** Nobody waits any longer. */
  stop(): void {
    this.#stopped = true;
    for (const wake of this.#waiting) wake();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      let cancel: Cancel = () => undefined;
      const wake = (): void => {
        cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      cancel = this.#clock.after(retryMs, wake, { keepAlive: false });
      this.#waiting.add(wake);
    });
  }
}
