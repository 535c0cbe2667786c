import type { DaemonToWorker, WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';

/** One worker process (or its stand-in): a wire with two ends and a life. */
export interface WorkerConnection {
  readonly pid: number | null;
  send(message: DaemonToWorker): void;
  /** Valid frames only; malformed ones are logged and dropped by the implementation. */
  onMessage(listener: (message: WorkerToDaemon) => void): void;
  /** Called once, also when the start failed. */
  onExit(listener: (end: { reason: string }) => void): void;
  /** Ends the process and its group at once. */
  kill(): void;
}

/** Starts workers; the connection is usable at once, frames wait until the process is ready. */
export interface WorkerStarter {
  start(): WorkerConnection;
}
