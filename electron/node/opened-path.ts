import { lstat, readlink, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/**
 * True when an open file is the one that a real path names: between the look at a path and its opening a folder on the way may
 * have become a link to somewhere else. Where the system tells the path of a descriptor (Linux) that decides; elsewhere the file
 * that lies at the path now has to be the same one.
 */
export async function isOpenedAt(file: FileHandle, path: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
  // A file that was replaced since lay there when it was opened.
  if (opened !== null) return opened === path || opened === `${path} (deleted)`;
  try {
    const [own, there] = [await file.stat({ bigint: true }), await lstat(path, { bigint: true })];
    return own.dev === there.dev && own.ino === there.ino && (await realpath(path)) === path;
  } catch {
    // Gone, or no way there any more.
    return false;
  }
}
