import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { errorCode } from '../../../shared/base/errors.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import { fileKind } from './file-kind.ts';
import { readPieces } from './read-pieces.ts';
import { pathProblem } from './real-path.ts';

const megabyte = 1024 * 1024;

/** What a file is before it is changed. `text` is null for binary files and those above `textLimit`. */
export type OldFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly sha256: string; readonly bytes: number; readonly text: string | null }
  | { readonly kind: 'problem'; readonly message: string };

/** Larger files are hashed, not read into memory. */
export const textLimit = 2 * megabyte;
/** Larger files are left alone: what is approved is their content, and reading it again and again takes too long. */
const largestReplaced = 64 * megabyte;

/** Looks at the file of a real path; one that is larger than `largest` is refused unread. Never throws. */
export async function oldFile(path: string, clock: Clock, largest = largestReplaced): Promise<OldFile> {
  try {
    const stats = await stat(path);
    const kind = fileKind(stats);
    if (kind === 'directory') return { kind: 'problem', message: `"${path}" is a directory` };
    if (kind === 'special') return { kind: 'problem', message: `"${path}" is a device, pipe or socket` };
    return stats.size > largest ? tooLarge(path, largest) : await readOld(path, clock, largest);
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT'
      ? { kind: 'absent' }
      : { kind: 'problem', message: `"${path}" ${pathProblem(code)}` };
  }
}

/** Files of /proc say that they are empty and are not: what comes counts. */
async function readOld(path: string, clock: Clock, largest: number): Promise<OldFile> {
  const hash = createHash('sha256');
  const kept: Uint8Array[] = [];
  let bytes = 0;
  await readPieces(path, clock, (piece) => {
    bytes += piece.length;
    hash.update(piece);
    if (bytes <= textLimit) kept.push(Uint8Array.from(piece));
    return bytes <= largest;
  });
  if (bytes > largest) return tooLarge(path, largest);
  const text = bytes > textLimit ? null : asText(Buffer.concat(kept));
  return { kind: 'file', sha256: hash.digest('hex'), bytes, text };
}

function tooLarge(path: string, largest: number): OldFile {
  const message = `"${path}" is larger than ${largest / megabyte} MB, the limit of this tool; change it with Bash`;
  return { kind: 'problem', message };
}

/** SHA-256 of the content, null when there is no such file: what `preimages` hold. */
export function imageOf(file: Exclude<OldFile, { kind: 'problem' }>): string | null {
  return file.kind === 'absent' ? null : file.sha256;
}

function asText(content: Uint8Array): string | null {
  if (content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    // Not UTF-8: shown by its size, not by its text.
    return null;
  }
}

/** The sentence for the model when a file is no longer what a person saw. */
export function changedSince(path: string): string {
  return `"${path}" changed since it was approved; read it again.`;
}
