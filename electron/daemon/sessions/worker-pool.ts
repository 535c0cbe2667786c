import { type HandlePorts, type WorkerEvents, WorkerHandle } from './worker-handle.ts';
import type { WorkerStarter } from './worker-port.ts';

/** What a pool works with. */
export interface PoolPorts extends HandlePorts {
  readonly workers: WorkerStarter;
}

/** The live workers, one for each lead session; the only place that starts one. */
export class WorkerPool {
  readonly #ports: PoolPorts;
  readonly #events: WorkerEvents;
  readonly #workers = new Map<string, WorkerHandle>();

  constructor(ports: PoolPorts, events: WorkerEvents) {
    this.#ports = ports;
    this.#events = events;
  }

  get isEmpty(): boolean {
    return this.#workers.size === 0;
  }

  /** pids of live workers. */
  pids(): number[] {
    return [...this.#workers.values()].flatMap((worker) => (worker.pid === null ? [] : [worker.pid]));
  }

  /** The worker of a lead session; a new one when there is none, or it was told to stop. */
  for(lead: string): WorkerHandle {
    const existing = this.#workers.get(lead);
    if (existing && !existing.stopping) return existing;
    const worker = new WorkerHandle(lead, this.#ports.workers.start(), this.#events, this.#ports);
    this.#workers.set(lead, worker);
    return worker;
  }

  /** Forgets a worker that ended; a newer one of the same lead stays. */
  forget(worker: WorkerHandle): void {
    if (this.#workers.get(worker.lead) === worker) this.#workers.delete(worker.lead);
  }

  /** Asks every worker to finish; each is killed after its grace. */
  stopAll(): void {
    for (const worker of this.#workers.values()) worker.stop();
  }
}
