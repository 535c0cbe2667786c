import { errorCode } from '../../../shared/base/errors.ts';
import type { FullDiskPatience } from '../events/full-disk.ts';
import type { Store } from '../events/port.ts';

/** What endings work with; `report` is told what could not be stored. */
export interface EndingPorts {
  readonly store: Store;
  readonly patience: FullDiskPatience;
  readonly report: (session: string, error: unknown) => void;
}

/** What has to be stored about workers and runners that ended; a stop waits for it. */
export class Endings {
  readonly #ports: EndingPorts;
  readonly #running = new Set<Promise<void>>();
  #onDone: () => void = () => undefined;

  constructor(ports: EndingPorts) {
    this.#ports = ports;
  }

  get areStored(): boolean {
    return this.#running.size === 0;
  }

  /** `done` is called whenever an ending was stored. */
  onDone(done: () => void): void {
    this.#onDone = done;
  }

  /** Remembers an ending until it is stored. */
  track(ending: Promise<void>): void {
    this.#running.add(ending);
    void ending.finally(() => {
      this.#running.delete(ending);
      this.#onDone();
    });
  }

  /** Stores that a worker is gone, `crashed`: by itself. Only afterwards may the session be leased again. */
  workerLost(session: string, crashed: boolean): Promise<void> {
    return this.#store(session, () => this.#ports.store.workerLost(session, crashed));
  }

  /** Stores that a runner gave up. A call that it left behind may have taken effect: it is not begun again. */
  async runnerFailed(session: string, reason: string): Promise<void> {
    await this.workerLost(session, false);
    const sentence = `The session's runner failed: ${reason}`;
    await this.park(session, 'runner_failed', sentence);
  }

  /** Stores that the session stops until a person says otherwise. */
  park(session: string, code: string, reason: string): Promise<void> {
    return this.#store(session, () => this.#ports.store.park(session, code, reason));
  }

  /** A session that was archived meanwhile needs nothing more. */
  async #store(session: string, verb: () => Promise<unknown>): Promise<void> {
    try {
      await this.#ports.patience.run(verb);
    } catch (error) {
      if (errorCode(error) !== 'not_found') this.#ports.report(session, error);
    }
  }
}
