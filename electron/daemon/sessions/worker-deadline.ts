import type { Cancel, Clock, Log } from '../../../shared/base/ports.ts';
import type { WorkerHandle } from './worker-handle.ts';

/** A worker that was given something to do has to ask within this. */
export const askGraceMs = 60_000;
/** A worker that was told to let go has to within this; tools need a while to end their children. */
export const releaseGraceMs = 15_000;

/** Kills a worker that does not do in time what it was told about a session: one in an endless loop hears nothing. */
export class WorkerDeadline {
  readonly #worker: WorkerHandle;
  readonly #session: string;
  readonly #ports: { readonly clock: Clock; readonly log: Log };
  #cancel: Cancel | null = null;

  constructor(worker: WorkerHandle, session: string, ports: { readonly clock: Clock; readonly log: Log }) {
    this.#worker = worker;
    this.#session = session;
    this.#ports = ports;
  }

  /** The worker has this long from now; an earlier deadline is over. */
  set(graceMs: number): void {
    this.met();
    const { clock, log } = this.#ports;
    const kill = (): void => {
      const { pid } = this.#worker;
      log.warn({ session: this.#session, pid }, `worker did not react within ${graceMs / 1000} s: killed`);
      this.#worker.kill();
    };
    this.#cancel = clock.after(graceMs, kill, { keepAlive: false });
  }

  /** It did, or it need not any more. */
  met(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
