import { KairosError } from '../../../shared/base/errors.ts';
import type { Transport } from './transport.ts';

/** The message channel to the process that forked this one. Throws KairosError `no_daemon` where there is none. */
export function processTransport(): Transport & { flushed(): Promise<void> } {
  if (process.send === undefined) {
    throw new KairosError('no_daemon', 'A worker is started by the daemon and cannot run alone.', {
      next: 'Use "kairos daemon start".',
    });
  }
  let waiting = 0;
  let whenEmpty = (): void => undefined;
  const gone = (): void => {
    waiting -= 1;
    if (waiting === 0) whenEmpty();
  };
  return {
    send(message, left) {
      waiting += 1;
      // An error here means that the channel is closed; `disconnect` is told too and ends the process.
      return (
        process.send?.(message, undefined, {}, () => {
          gone();
          left?.();
        }) === true
      );
    },
    onMessage: (listener) => void process.on('message', listener),
    onClose: (listener) => void process.on('disconnect', listener),
    flushed: () => (waiting === 0 ? Promise.resolve() : new Promise((resolve) => (whenEmpty = resolve))),
  };
}
