import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';

/** Links followed before giving up (Linux: 40). */
const mostLinks = 40;

/**
 * Where an absolute path leads when no step of the way lies in a folder that the agent writes to, where it could have put a link; null
 * when one does, or nothing is there. `writable`: real paths.
 */
export async function trustedPath(path: string, writable: readonly string[]): Promise<string | null> {
  let left = mostLinks;
  let reached = '/';
  let ahead = segmentsOf(path);
  while (ahead.length > 0) {
    const [name = '', ...rest] = ahead;
    const next = name === '..' ? dirname(reached) : join(reached, name);
    if (writable.some((folder) => isInside(next, folder))) return null;
    const found = await lstat(next).catch(() => null);
    if (found === null) return null;
    ahead = rest;
    if (!found.isSymbolicLink()) {
      reached = next;
      continue;
    }
    left -= 1;
    if (left < 0) return null;
    const target = await readlink(next);
    if (target.startsWith('/')) reached = '/';
    ahead = [...segmentsOf(target), ...rest];
  }
  return resolve(reached);
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}
