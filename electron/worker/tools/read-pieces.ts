import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode, KairosError } from '../../../shared/base/errors.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import { isOpenedAt } from '../../node/opened-path.ts';

const pieceBytes = 64 * 1024;
/** A file that gives nothing for so long is given up, ms. */
const answerWithinMs = 10_000;

/** Not blocking: a stream that looks like a file (/proc/kmsg) would hold its thread, and with it the end of this process. */
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Hands over the content of a file (real path) piece by piece until `take` answers false; a piece is only good until `take`
 * returns. Throws the system's errors, `EAGAIN` for a stream that has nothing to read now, `ETIMEDOUT` after 10 s without an
 * answer, and `moved` when the path led elsewhere when it was opened.
 */
export async function readPieces(
  path: string,
  clock: Clock,
  take: (piece: Uint8Array) => boolean,
): Promise<void> {
  const opening = open(path, readFlags);
  const file = await inTime(clock, opening).catch((error: unknown) => {
    void opening.then((late) => late.close()).catch(() => undefined);
    // Its last part is a link now.
    if (errorCode(error) === 'ELOOP') throw moved(error);
    throw error;
  });
  try {
    if (!(await isOpenedAt(file, path))) throw moved();
    const buffer = Buffer.alloc(pieceBytes);
    for (let first = true; ; first = false) {
      const bytes = await inTime(clock, readNext(file, buffer, first));
      if (bytes === 0 || !take(buffer.subarray(0, bytes))) return;
    }
  } finally {
    // Waits for a read that was given up, if that ever ends; nobody has to wait for it.
    void file.close().catch(() => undefined);
  }
}

function moved(cause?: unknown): KairosError {
  return new KairosError('moved', 'the path leads somewhere else now', { cause });
}

async function readNext(file: FileHandle, buffer: Buffer, first: boolean): Promise<number> {
  try {
    return (await file.read(buffer, 0, pieceBytes, null)).bytesRead;
  } catch (error) {
    // What a stream had is read: that is its end for now.
    if (errorCode(error) === 'EAGAIN' && !first) return 0;
    throw error;
  }
}

async function inTime<Value>(clock: Clock, answer: Promise<Value>): Promise<Value> {
  let cancel = (): void => undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(answerWithinMs, () => {
      reject(new KairosError('ETIMEDOUT', 'the file gave no answer'));
    });
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    cancel();
  }
}
