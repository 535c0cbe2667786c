import type { Readable } from 'node:stream';

/** Answers that are still being sent, by who asked: a device's id, null for the owner token. */
export interface OpenStreams {
  add(device: string | null, stream: Readable): void;
  /** Cuts off what this asker is still being sent. */
  end(device: string | null): void;
}

/** Streams leave by themselves when they close. */
export function createOpenStreams(): OpenStreams {
  const open = new Map<Readable, string | null>();
  return {
    add(device, stream) {
      open.set(stream, device);
      stream.once('close', () => open.delete(stream));
    },
    end(device) {
      for (const [stream, asker] of open) {
        if (asker === device) stream.destroy();
      }
    },
  };
}
