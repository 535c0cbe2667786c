import { dirname } from 'node:path';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';

/** What a place is for a shut-in command: it may write there, only read there, or it is not there. */
export interface Mount {
  readonly kind: 'write' | 'read' | 'hide';
  /** Absolute real path; exists. */
  readonly path: string;
  readonly folder: boolean;
}

/** At the same path the stricter one holds. */
const strictness = { write: 0, read: 1, hide: 2 } as const;

/** One mount per path, outer ones first: what is said about a folder holds for all in it that nothing else is said about. */
export function orderMounts(mounts: readonly Mount[]): readonly Mount[] {
  const byPath = new Map<string, Mount>();
  for (const mount of mounts) {
    const other = byPath.get(mount.path);
    if (other === undefined || strictness[mount.kind] > strictness[other.kind]) byPath.set(mount.path, mount);
  }
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Folders between a writable place and one in it that is treated in another way: mounts themselves, so that none can be renamed away with it. */
export function pinsOf(mounts: readonly Mount[]): readonly Mount[] {
  return mounts.flatMap(({ path, kind }) => (kind === 'write' ? [] : foldersUpTo(path, mounts)));
}

function foldersUpTo(path: string, mounts: readonly Mount[]): Mount[] {
  const folder = dirname(path);
  const around = mounts.filter((mount) => mount.path !== path && isInside(path, mount.path)).at(-1);
  if (around?.kind !== 'write' || around.path === folder || !isInside(folder, around.path)) return [];
  return [...foldersUpTo(folder, mounts), { kind: 'write', path: folder, folder: true }];
}

/** Where Kairos itself lives, and where the session may write. */
export interface Grounds {
  /** The session directory. */
  readonly dir: string;
  readonly home: string;
  readonly scratch: string;
}

/** True when a place may be opened for writing: nothing of the home of Kairos but the session's own scratch folder, and not all of the system. */
export function mayBeWritable(path: string, { home, scratch }: Grounds): boolean {
  return path !== '/' && (!isInside(path, home) || isInside(path, scratch));
}
