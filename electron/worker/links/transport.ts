import type { WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';

/** The wire to the daemon as the link uses it: whole messages, in order. */
export interface Transport {
  /** False when the wire is full: lossy messages wait until `left` was called. `left` runs once, when the message is gone. */
  send(message: WorkerToDaemon, left?: () => void): boolean;
  onMessage(listener: (message: unknown) => void): void;
  /** The daemon is gone or let go of us. */
  onClose(listener: () => void): void;
}
