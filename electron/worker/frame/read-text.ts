import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { errorCode } from '../../../shared/base/errors.ts';
import { isOpenedAt } from '../../node/opened-path.ts';

/** A text file as far as it was read, or why there is none to read. */
export type ReadText =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable'; readonly why: string };

/** Where a path really leads; null: nowhere. */
export async function realFile(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    // Absent, closed to us or a loop of links: for a file that may be missing this is all the same.
    return null;
  }
}

/** Not through a link, and without waiting for whoever writes into a pipe. */
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Reads at most `most` bytes of a regular text file (real path); what it is says the open file, not its name. Never throws. */
export async function readText(path: string, most: number): Promise<ReadText> {
  try {
    const file = await open(path, readFlags);
    try {
      const status = await file.stat();
      if (status.isDirectory()) return { kind: 'absent' };
      if (!status.isFile()) return { kind: 'unusable', why: 'is not a regular file' };
      if (!(await isOpenedAt(file, path))) return { kind: 'unusable', why: 'leads somewhere else now' };
      const room = Buffer.alloc(Math.min(most, status.size));
      const { bytesRead } = await file.read(room, 0, room.length, 0);
      return asText(room.subarray(0, bytesRead), status.size);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    return { kind: 'unusable', why: `could not be read (${code})` };
  }
}

function asText(bytes: Buffer, size: number): ReadText {
  if (bytes.includes(0)) return { kind: 'unusable', why: 'is not a text file' };
  return { kind: 'text', text: bytes.toString('utf8').replace(/\uFFFD+$/u, ''), bytes: size };
}
