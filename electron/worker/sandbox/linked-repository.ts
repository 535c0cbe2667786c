import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** What a linked worktree has outside of itself; real paths. */
export interface LinkedRepository {
  /** The worktree's own folder in the repository. */
  readonly own: string;
  /** Objects, references and their logs, which all worktrees share. */
  readonly shared: readonly string[];
}

/** What a commit writes to; `logs` is made by the first. Hooks and configuration are not among it. */
const sharedNames = ['objects', 'refs', 'logs'] as const;
/** A file of one line with a path. */
const longestPointer = 4_096;

/**
 * The repository that a folder (a real path) is a linked worktree of; null: none that can be believed. The file `.git` may be anybody's
 * work: what counts is that the repository names this folder as its worktree, lies where Git puts such, and is this person's.
 */
export async function linkedRepository(dir: string): Promise<LinkedRepository | null> {
  try {
    const pointer = join(dir, '.git');
    const own = await led(dir, (await pointerText(pointer)).replace(/^gitdir: /, ''));
    const common = dirname(dirname(own));
    const isPlaced = basename(dirname(own)) === 'worktrees';
    const pointsBack = (await led(own, await pointerText(join(own, 'gitdir')))) === pointer;
    const isShared = (await led(own, await pointerText(join(own, 'commondir')))) === common;
    if (!isPlaced || !pointsBack || !isShared) return null;
    for (const folder of [own, common]) await ownFolder(folder);
    const paths = sharedNames.map((name) => join(common, name));
    const found = await Promise.all(paths.map((path) => ownFolder(path).then(() => path, gone)));
    const [objects, refs] = found;
    if (objects === null || refs === null) return null;
    return { own, shared: found.filter((path) => path !== null) };
  } catch {
    // Whatever is not as Git makes it is no linked worktree: then nothing outside is opened.
    return null;
  }
}

function led(from: string, text: string): Promise<string> {
  return realpath(resolve(from, text));
}

async function pointerText(path: string): Promise<string> {
  const found = await lstat(path);
  if (!found.isFile() || found.size > longestPointer || !isOurs(found.uid)) throw new Error('no pointer');
  const text = (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  if (text === '' || text.includes('\n')) throw new Error('not one line');
  return text;
}

async function ownFolder(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isDirectory() || !isOurs(found.uid)) throw new Error('no folder of this person');
}

function isOurs(uid: number): boolean {
  return uid === process.getuid?.();
}

function gone(): null {
  return null;
}

/** True when two looks found the same. */
export function isSameRepository(one: LinkedRepository | null, other: LinkedRepository | null): boolean {
  return one !== null && one.own === other?.own;
}
