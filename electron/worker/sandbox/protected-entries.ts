import { constants } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, rename, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { visibleText } from '../../../shared/base/visible-text.ts';
import type { Ids } from '../../../shared/base/ports.ts';
import { errorCode } from '../../../shared/base/errors.ts';
import type { Mount } from './mounts.ts';

/** What runs by itself later, or says what may run (design 31), relative to the session directory. */
const protectedNames = [
  '.kairos',
  '.claude',
  '.mcp.json',
  '.envrc',
  '.husky',
  '.vscode',
  '.idea',
  '.gitconfig',
  '.gitmodules',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.inputrc',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.config/fish',
  '.config/autostart',
  '.config/systemd',
  '.config/git',
  '.local/bin',
  'Library/LaunchAgents',
];

/** What Git runs or reads commands from, relative to a repository. `commondir` would let it look for them elsewhere. */
const gitNames = ['hooks', 'config', 'config.worktree', 'commondir', 'modules', 'worktrees'];

/** How deep repositories in the session directory are looked for, and in how many folders. */
const deepest = 3;
const mostFolders = 500;

/** A place that cannot be mounted over because it is not there, or a link: looked at again when the command has ended. */
interface Watched {
  readonly path: string;
  /** Target of the link; null: nothing is there. */
  readonly link: string | null;
}

/** The protected places of a session directory: what to mount, and what to look at afterwards. */
export interface ProtectedEntries {
  readonly mounts: readonly Mount[];
  readonly watched: readonly Watched[];
}

/**
 * Finds them. `dir` is a real path; `linked`: the folder of a linked worktree in its repository, which is writable too; `more`: files
 * in `dir` that hooks run.
 */
export async function protectedEntries(
  dir: string,
  linked: string | null,
  more: readonly string[] = [],
): Promise<ProtectedEntries> {
  const mounts: Mount[] = [];
  const watched: Watched[] = [];
  const { folders, pointers } = await gitPlaces(dir);
  const repositories = linked === null ? folders : [...folders, linked];
  const names = [
    ...protectedNames.map((name) => join(dir, name)),
    ...more,
    ...pointers,
    ...(linked === null ? [] : [join(linked, 'gitdir')]),
    ...repositories.flatMap((folder) => gitNames.map((name) => join(folder, name))),
  ];
  for (const path of names) {
    const found = await look(path);
    if (found === 'below nothing') continue;
    if ('watched' in found) watched.push(found.watched);
    else mounts.push(found.mount);
  }
  return { mounts, watched };
}

async function look(path: string): Promise<{ mount: Mount } | { watched: Watched } | 'below nothing'> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return { watched: { path, link: await readlink(path) } };
    return { mount: { kind: 'read', path, folder: found.isDirectory() } };
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return 'below nothing';
    if (errorCode(error) !== 'ENOENT') throw error;
    return { watched: { path, link: null } };
  }
}

/** Every `.git` near the top: folders, and files that say where the folder is. */
async function gitPlaces(
  dir: string,
): Promise<{ readonly folders: readonly string[]; readonly pointers: readonly string[] }> {
  const folders: string[] = [];
  const pointers: string[] = [];
  let level = [dir];
  let left = mostFolders;
  for (let depth = 0; depth <= deepest && level.length > 0 && left > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level.slice(0, left)) {
      left -= 1;
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        const path = join(folder, entry.name);
        if (entry.name === '.git' && entry.isFile()) pointers.push(path);
        if (!entry.isDirectory()) continue;
        if (entry.name === '.git') folders.push(path);
        else if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) next.push(path);
      }
    }
    level = next;
  }
  return { folders, pointers };
}

/**
 * Takes away what was made at protected places meanwhile: it gets another name beside them, under which nothing runs it; links are
 * made anew. One clause for each that was found.
 */
export async function restoreWatched({ watched }: ProtectedEntries, ids: Ids): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const { path, link } of watched) {
    const now = await look(path);
    if (now === 'below nothing' || ('watched' in now && now.watched.link === link)) continue;
    const kept = `${path}.inactive-${ids.random(4)}`;
    const isThere = !('watched' in now && now.watched.link === null);
    await inFolder(dirname(path), async (at) => {
      if (isThere) await rename(at(path), at(kept));
      if (link !== null) await symlink(link, at(path));
    });
    if (isThere)
      notes.push(`${visibleText(path)} cannot be made in the sandbox, it is now ${visibleText(kept)}`);
  }
  return notes;
}

/** Works in a folder by its descriptor: something that still runs may put a link in its place. A folder that is another by now is left. */
async function inFolder(
  folder: string,
  work: (at: (path: string) => string) => Promise<void>,
): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    // Only Linux has a way by a descriptor; elsewhere the look at the path is a moment older than the work.
    const isLinux = process.platform === 'linux';
    const way = isLinux ? `/proc/self/fd/${handle.fd}` : folder;
    if ((await (isLinux ? readlink(way) : realpath(way))) === folder)
      await work((path) => join(way, basename(path)));
  } finally {
    await handle.close();
  }
}
