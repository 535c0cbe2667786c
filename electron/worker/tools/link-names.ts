import { readlink } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';

/** Links followed before giving up, as in `realPathOf`. */
const mostLinks = 40;

/**
 * The other names of what an absolute path leads to: one for each symbolic link on the way, so that rules can be held against both ends.
 * Links that lie in the root of the file system are the system's own (`/tmp` on macOS), those on the way to `chosen` the person's: neither
 * counts. Never throws: what cannot be looked at is no link.
 */
export async function linkNames(path: string, chosen: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  let at = path;
  for (let left = mostLinks; left > 0; left -= 1) {
    const link = await firstLink(at);
    if (link === null) return names;
    const { root } = parse(link.place);
    const counts = dirname(link.place) !== root && !chosen.some((each) => isInside(each, link.place));
    if (counts) names.push(at);
    at = join(link.target, link.rest);
  }
  return names;
}

interface Link {
  /** Where it lies, where it leads, and what follows it in the path. */
  readonly place: string;
  readonly target: string;
  readonly rest: string;
}

async function firstLink(path: string): Promise<Link | null> {
  const { root } = parse(path);
  const segments = path.slice(root.length).split('/').filter(Boolean);
  let place = root;
  for (const [index, segment] of segments.entries()) {
    const parent = place;
    place = join(place, segment);
    const target = await readlink(place).catch(() => null);
    if (target !== null)
      return { place, target: resolve(parent, target), rest: segments.slice(index + 1).join('/') };
  }
  return null;
}
