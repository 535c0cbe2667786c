import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '../../../shared/base/ports.ts';

/** What a process writes on stdout and stderr, up to `most` bytes together; then `onFlood` is called, once, and nothing more is kept. */
export class KeptOutput {
  readonly #chunks: Readonly<Record<'stdout' | 'stderr', Uint8Array[]>> = { stdout: [], stderr: [] };
  readonly #closed: Promise<unknown>;
  readonly #streams: readonly Readable[];

  constructor(child: Pick<ChildProcess, 'stdout' | 'stderr'>, most: number, onFlood: () => void) {
    let bytes = 0;
    const streams: Readable[] = [];
    for (const name of ['stdout', 'stderr'] as const) {
      const stream = child[name];
      if (stream === null) continue;
      streams.push(stream);
      stream.on('data', (chunk: Uint8Array) => {
        if (bytes > most) return;
        bytes += chunk.byteLength;
        if (bytes > most) onFlood();
        else this.#chunks[name].push(chunk);
      });
    }
    this.#streams = streams;
    this.#closed = Promise.all(
      streams.map((stream) => new Promise<void>((resolve) => stream.once('close', resolve))),
    );
  }

  /** Resolves when both streams ended, or after `ms`. */
  async drained(ms: number, clock: Clock): Promise<void> {
    const giveUp = clock.after(ms, () => {
      for (const stream of this.#streams) stream.destroy();
    });
    await this.#closed;
    giveUp();
  }

  texts(): { readonly stdout: string; readonly stderr: string } {
    const { stdout, stderr } = this.#chunks;
    return { stdout: Buffer.concat(stdout).toString('utf8'), stderr: Buffer.concat(stderr).toString('utf8') };
  }
}
