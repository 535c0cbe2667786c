import { lstat } from 'node:fs/promises';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';
import { errorCode, KairosError } from '../../../shared/base/errors.ts';
import type { SandboxConfig } from '../../../shared/domain/sandbox.ts';
import { absolutePath, realPathOf } from '../tools/real-path.ts';
import type { StagedMounts } from './bubblewrap.ts';
import type { LinkedRepository } from './linked-repository.ts';
import { type Grounds, mayBeWritable, type Mount, orderMounts, pinsOf } from './mounts.ts';
import { trustedPath } from './trusted-path.ts';
import { type ProtectedEntries, protectedEntries } from './protected-entries.ts';

/** What a shut-in command finds: the mounts of both stages, and what to look at when it has ended. */
export interface InsidePlaces {
  readonly mounts: StagedMounts;
  readonly entries: ProtectedEntries;
}

/** Where one command runs. */
export interface PlaceTerms {
  readonly grounds: Grounds;
  readonly config: Pick<SandboxConfig, 'write' | 'denyRead' | 'readOnly'>;
  /** The folder of the sandbox itself. */
  readonly own: string;
  readonly personHome: string | undefined;
  /** The repository of a linked worktree, which may be committed to. */
  readonly linked: LinkedRepository | null;
}

/** The places of one command, looked up now. Throws KairosError `no_place` when the session directory cannot be given to it. */
export async function insidePlaces({
  grounds,
  config: { write, denyRead, readOnly = [] },
  own,
  personHome,
  linked,
}: PlaceTerms): Promise<InsidePlaces> {
  const { dir, home, scratch } = grounds;
  if (!mayBeWritable(dir, grounds))
    throw new KairosError('no_place', `"${dir}" cannot be opened for a sandbox`);
  const absolute = (given: string): string => absolutePath(given, dir, personHome);
  const hide = async (given: string): Promise<Mount[]> => {
    const path = await realPathOf(absolute(given)).catch(() => null);
    return path === null ? [] : mountAt(path, 'hide');
  };
  const [opened, ...hidden] = await Promise.all([
    openedPlaces(write.map(absolute), grounds),
    ...[...denyRead, home, own].map(hide),
  ]);
  const ground: Mount[] = [dir, scratch].map((path) => ({ kind: 'write', path, folder: true }));
  const plain = [...ground, ...opened, ...hidden.flat()];
  const repository = linked !== null && isApart(linked, plain) ? linked : null;
  const entries = await protectedEntries(dir, repository?.own ?? null, inDir(dir, readOnly));
  const outer = orderMounts([...plain, ...repositoryMounts(repository)]);
  // What holds a place of its own kind is not closed as a whole.
  const closed = entries.mounts.filter((entry) => !outer.some(({ path }) => isInside(path, entry.path)));
  const inner = orderMounts([...pinsOf(orderMounts([...outer, ...closed])), ...closed]);
  return { mounts: { outer, inner }, entries };
}

/** The daemon's word on it, held against the directory that it is about. */
function inDir(dir: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path !== dir && isInside(path, dir));
}

/** Neither writable already, where what runs could have made it look like a repository, nor hidden. */
function isApart({ own, shared }: LinkedRepository, mounts: readonly Mount[]): boolean {
  return [own, ...shared].every(
    (path) => !mounts.some((mount) => isInside(path, mount.path) || isInside(mount.path, path)),
  );
}

function repositoryMounts(linked: LinkedRepository | null): readonly Mount[] {
  if (linked === null) return [];
  return [linked.own, ...linked.shared].map((path) => ({ kind: 'write', path, folder: true }));
}

/** Outer ones first; what lies in one that is writable already needs no mount, and what runs there could have made it lead elsewhere. */
async function openedPlaces(paths: readonly string[], grounds: Grounds): Promise<readonly Mount[]> {
  const writable = [grounds.dir, grounds.scratch];
  const opened: Mount[] = [];
  for (const given of paths.toSorted((a, b) => a.length - b.length)) {
    const path = await trustedPath(given, writable);
    if (path === null || !mayBeWritable(path, grounds)) continue;
    opened.push(...(await mountAt(path, 'write')));
    writable.push(path);
  }
  return opened;
}

/** Nothing when nothing is there. Links are resolved before. */
async function mountAt(path: string, kind: Mount['kind']): Promise<Mount[]> {
  try {
    const found = await lstat(path);
    return [{ kind, path, folder: found.isDirectory() }];
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error))) return [];
    throw error;
  }
}
