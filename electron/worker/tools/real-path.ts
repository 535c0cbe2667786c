import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errorCode, KairosError } from '../../../shared/base/errors.ts';

/** Links followed before giving up (Linux: 40). */
const mostLinks = 40;

/** An absolute path of what was given: relative to `dir`, `~` is the person's home. Throws KairosError `bad_path`. */
export function absolutePath(path: string, dir: string, home: string | undefined): string {
  if (path.trim() === '') throw new KairosError('bad_path', 'the path is empty');
  if (path.includes('\0')) throw new KairosError('bad_path', 'the path contains a NUL character');
  const inHome = home !== undefined && (path === '~' || path.startsWith('~/'));
  const expanded = inHome ? join(home, path.slice(1)) : path;
  return isAbsolute(expanded) ? resolve(expanded) : resolve(dir, expanded);
}

/**
 * Where an absolute path really leads: symlinks of the deepest existing ancestor are resolved, also a link whose target is
 * missing; what does not exist yet is appended as it stands. Throws KairosError `bad_path`.
 */
export async function realPathOf(path: string, linksLeft = mostLinks): Promise<string> {
  if (linksLeft < 0) throw new KairosError('bad_path', `"${path}" leads through too many symbolic links`);
  try {
    return await realpath(path);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT') throw badPath(path, code, error);
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const target = await linkTarget(path);
  if (target !== null) return realPathOf(resolve(parent, target), linksLeft - 1);
  return join(await realPathOf(parent, linksLeft), basename(path));
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return null;
    throw badPath(path, code, error);
  }
}

function badPath(path: string, code: string, cause: unknown): KairosError {
  return new KairosError('bad_path', `"${path}" ${pathProblem(code)}`, { cause });
}

/** What an error code of the file system means, to follow a path: `"x" does not exist`. */
export function pathProblem(code: string): string {
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'may not be accessed (permission denied)';
    case 'ENOTDIR':
      return 'leads through something that is not a directory';
    case 'ELOOP':
      return 'leads through a loop of symbolic links';
    case 'ENAMETOOLONG':
      return 'is too long';
    case 'ENOSPC':
      return 'could not be written: the disk is full';
    case 'EAGAIN':
      return 'is a stream that has nothing to read now; read it with Bash and a time-out';
    case 'ETIMEDOUT':
      return 'gave nothing to read for 10 s; try it with Bash and a time-out';
    case 'moved':
      return 'now leads somewhere else; call it again';
    case 'EROFS':
      return 'is on a file system that can only be read';
    default:
      return `could not be used (${code})`;
  }
}
