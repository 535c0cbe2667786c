import { KairosError } from '../../../shared/base/errors.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import { maxFrameBytes, type WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';
import { FrameQueue } from '../../node/frame-queue.ts';
import { Parcels } from '../../node/parcels.ts';
import type { Transport } from './transport.ts';

/** What the channel needs: the folder of its parcels, and who hears that the link is of no use any more. */
export interface ChannelParts {
  readonly parcels: string;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

/** The message channel to the process that forked this one. Throws KairosError `no_daemon` where there is none. */
export function processTransport({
  parcels: folder,
  clock,
  onFault,
}: ChannelParts): Transport & { flushed(): Promise<void> } {
  if (process.send === undefined) {
    throw new KairosError('no_daemon', 'A worker is started by the daemon and cannot run alone.', {
      next: 'Use "kairos daemon start".',
    });
  }
  const parcels = new Parcels(folder, maxFrameBytes);
  let waiting = 0;
  let whenEmpty = (): void => undefined;
  const gone = (): void => {
    waiting -= 1;
    if (waiting === 0) whenEmpty();
  };
  const queue = new FrameQueue<WorkerToDaemon>({
    parcels,
    clock,
    // An error in the callback means that the channel is closed; `disconnect` is told too and ends the process.
    post: (packed, left) => process.send?.(packed, undefined, {}, left) === true,
    // The daemon must hear that this process is well also while the disk is full.
    overtakes: (frame) => frame.type === 'pong',
    onFault,
  });
  return {
    send(message, left) {
      const wentOff = (): void => {
        gone();
        left?.();
      };
      waiting += 1;
      try {
        return queue.send(message, wentOff);
      } catch (error) {
        gone();
        throw error;
      }
    },
    onMessage: (listener) =>
      void process.on('message', (value) => {
        let message: unknown;
        try {
          message = parcels.unpack(value);
        } catch (error) {
          return onFault(error);
        }
        listener(message);
      }),
    onClose: (listener) => void process.on('disconnect', listener),
    flushed: () => (waiting === 0 ? Promise.resolve() : new Promise((resolve) => (whenEmpty = resolve))),
  };
}
