import { chmod, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../../shared/base/errors.ts';
import type { Clock, Ids } from '../../../shared/base/ports.ts';
import { boundary } from '../../node/boundary.ts';
import { changedSince, imageOf, oldFile } from './old-file.ts';
import { pathProblem, realPathOf } from './real-path.ts';

/** A change as it was allowed: the real path, what was there then (null = nothing), and the new content. */
export interface Replacement {
  readonly path: string;
  readonly sha256: string | null;
  readonly content: string;
}

/**
 * Replaces the content in one step (temporary file, fsync, rename), keeping the mode; creates missing folders. Looks right
 * before whether path and old content are still what was allowed. null = done, else one sentence for the model.
 */
export async function replaceFile(
  change: Replacement,
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
): Promise<string | null> {
  const { path, content } = change;
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${ids.random(6)}.tmp`);
  try {
    const folders = await movedAway(change, clock);
    if (folders !== null) return folders;
    await mkdir(dirname(path), { recursive: true });
    const mode = await oldMode(path);
    await writeDurably(temporary, content, mode);
    const problem = await movedAway(change, clock);
    if (problem !== null) return problem;
    boundary('tool.local_write', 'before');
    await rename(temporary, path);
    await syncFolder(dirname(path));
    boundary('tool.local_write', 'after');
    return null;
  } catch (error) {
    return `"${path}" ${pathProblem(errorCode(error))}.`;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function movedAway({ path, sha256 }: Replacement, clock: Clock): Promise<string | null> {
  const old = await oldFile(path, clock);
  if (old.kind === 'problem') return `${old.message}.`;
  const same = (await realPathOf(path)) === path && imageOf(old) === sha256;
  return same ? null : changedSince(path);
}

/** null for a new file. Throws EACCES for a file that may not be written: a rename would not ask. */
async function oldMode(path: string): Promise<number | null> {
  try {
    const { mode } = await stat(path);
    await (await open(path, 'r+')).close();
    return mode & 0o7777;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function writeDurably(path: string, content: string, mode: number | null): Promise<void> {
  const file: FileHandle = await open(path, 'wx', 0o666);
  try {
    await file.writeFile(content, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
  if (mode !== null) await chmod(path, mode);
}

/** The name is durable too; systems that cannot open a folder keep it on their own. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
