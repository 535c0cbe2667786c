import type { Clock } from '../../shared/base/ports.ts';
import { errorCode } from '../../shared/base/errors.ts';
import type { Parcels } from './parcels.ts';

/** While the disk has no room for a parcel, it is tried again after this. */
const retryMs = 1_000;

/** How frames leave: `post` puts one on the channel (false: it is full), `overtakes` names frames that need not keep their order. */
export interface FrameQueueParts<Frame extends object> {
  readonly parcels: Parcels;
  readonly clock: Clock;
  readonly post: (packed: object, left?: () => void) => boolean;
  readonly overtakes: (frame: Frame) => boolean;
  /** A frame that waited can never be sent: the link is of no use any more. */
  readonly onFault: (error: unknown) => void;
}

/** Sends frames in order, large ones as parcels; on a full disk they wait, and those behind them too. */
export class FrameQueue<Frame extends object> {
  readonly #parts: FrameQueueParts<Frame>;
  #waiting: { readonly frame: Frame; readonly left: (() => void) | undefined }[] = [];
  #closed = false;

  constructor(parts: FrameQueueParts<Frame>) {
    this.#parts = parts;
  }

  /** False when it waits or the channel is full. Throws ParcelError when the frame can never be sent. */
  send(frame: Frame, left?: () => void): boolean {
    const { parcels, post, overtakes } = this.#parts;
    if (this.#closed) return false;
    if (this.#waiting.length > 0 && !overtakes(frame)) {
      this.#waiting.push({ frame, left });
      return false;
    }
    try {
      return post(parcels.pack(frame), left);
    } catch (error) {
      if (errorCode(error) !== 'disk_full') throw error;
      this.#waiting.push({ frame, left });
      this.#later();
      return false;
    }
  }

  /** Nothing leaves any more. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
  }

  #later(): void {
    this.#parts.clock.after(retryMs, () => this.#again(), { keepAlive: false });
  }

  #again(): void {
    const { parcels, post, onFault } = this.#parts;
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        post(parcels.pack(next.frame), next.left);
        this.#waiting.shift();
      }
    } catch (error) {
      if (errorCode(error) === 'disk_full') return this.#later();
      this.close();
      onFault(error);
    }
  }
}
