import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '../../../shared/base/errors.ts';
import { fileKind } from './file-kind.ts';
import { pathProblem } from './real-path.ts';

/** What a file is before it is changed. `text` is null for binary files and those above `textLimit`. */
export type OldFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly sha256: string; readonly bytes: number; readonly text: string | null }
  | { readonly kind: 'problem'; readonly message: string };

/** Larger files are hashed, not read into memory. */
const textLimit = 2 * 1024 * 1024;

/** Looks at the file of a real path. Never throws. */
export async function oldFile(path: string): Promise<OldFile> {
  try {
    const stats = await stat(path);
    const kind = fileKind(stats);
    if (kind === 'directory') return { kind: 'problem', message: `"${path}" is a directory` };
    if (kind === 'special') return { kind: 'problem', message: `"${path}" is a device, pipe or socket` };
    if (stats.size > textLimit) {
      return { kind: 'file', sha256: await hashFile(path), bytes: stats.size, text: null };
    }
    const content = await readFile(path);
    return { kind: 'file', sha256: sha256(content), bytes: content.length, text: asText(content) };
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT'
      ? { kind: 'absent' }
      : { kind: 'problem', message: `"${path}" ${pathProblem(code)}` };
  }
}

/** SHA-256 of the content, null when there is no such file: what `preimages` hold. */
export function imageOf(file: Exclude<OldFile, { kind: 'problem' }>): string | null {
  return file.kind === 'absent' ? null : file.sha256;
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
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
