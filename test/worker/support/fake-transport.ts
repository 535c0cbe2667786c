import type { WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';
import type { Transport } from '../../../electron/worker/links/transport.ts';

/** A wire that keeps what was sent and can be full. */
export class FakeTransport implements Transport {
  readonly sent: WorkerToDaemon[] = [];
  full = false;
  /** Thrown by `send`. */
  refuses: Error | null = null;
  #left: (() => void)[] = [];

  send(message: WorkerToDaemon, left?: () => void): boolean {
    if (this.refuses) throw this.refuses;
    this.sent.push(structuredClone(message));
    if (left) this.#left.push(left);
    return !this.full;
  }

  /** Everything that was sent has left. */
  drain(): void {
    this.full = false;
    for (const left of this.#left.splice(0)) left();
  }

  onMessage(): void {}
  onClose(): void {}
}
