import { open, realpath, stat } from 'node:fs/promises';
import { errorCode } from '../../../shared/base/errors.ts';

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

/** Reads at most `most` bytes of a regular text file; never opens pipes or devices, never throws. */
export async function readText(path: string, most: number): Promise<ReadText> {
  try {
    const status = await stat(path);
    if (status.isDirectory()) return { kind: 'absent' };
    if (!status.isFile()) return { kind: 'unusable', why: 'is not a regular file' };
    const bytes = await readPart(path, Math.min(most, status.size));
    if (bytes.includes(0)) return { kind: 'unusable', why: 'is not a text file' };
    return { kind: 'text', text: bytes.toString('utf8').replace(/\uFFFD+$/u, ''), bytes: status.size };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    return { kind: 'unusable', why: `could not be read (${code})` };
  }
}

async function readPart(path: string, most: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
