import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Ids } from '../../../shared/base/ports.ts';

const run = promisify(execFile);

/** A pipe whose writing end a child takes as both stdout and stderr, so that the order of its output is kept. */
export interface OutputPipe {
  readonly output: Readable;
  /** Descriptor for the child. */
  readonly writeEnd: number;
  /** Closes our copy of the writing end; call it once the child has its own. */
  release(): void;
}

/**
 * A real pipe, which Node itself cannot make: its "pipes" are sockets, and a shell cannot open /dev/stderr or /dev/stdout on
 * a socket. Made as a named pipe in `folder` that is removed at once. POSIX only; rejects when the system refuses.
 */
export async function openOutputPipe(folder: string, ids: Ids): Promise<OutputPipe> {
  const path = join(folder, `.pipe-${ids.random(8)}`);
  await run('mkfifo', ['-m', '600', path]);
  try {
    // A reader that does not block comes first, so that opening the writing end does not wait for one.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = openSync(path, constants.O_WRONLY);
    const output = new Socket({ fd: reader, readable: true, writable: false });
    output.on('error', () => undefined);
    return { output, writeEnd, release: () => closeSync(writeEnd) };
  } finally {
    await rm(path, { force: true });
  }
}
