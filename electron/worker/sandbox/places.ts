import { lstat } from 'node:fs/promises';
import { errorCode, KairosError } from '../../../shared/base/errors.ts';
import type { SandboxConfig } from '../../../shared/domain/sandbox.ts';
import { absolutePath, realPathOf } from '../tools/real-path.ts';
import { type Grounds, mayBeWritable, type Mount, orderMounts } from './mounts.ts';
import { type ProtectedEntries, protectedEntries } from './protected-entries.ts';

/** What a shut-in command finds: the mounts in their order, and what to look at when it has ended. */
export interface InsidePlaces {
  readonly mounts: readonly Mount[];
  readonly entries: ProtectedEntries;
}

/** The places of one command, looked up now; `own`: the folder of the sandbox itself. Throws KairosError `no_place` when the session directory cannot be given to it. */
export async function insidePlaces(
  grounds: Grounds,
  { write, denyRead }: Pick<SandboxConfig, 'write' | 'denyRead'>,
  own: string,
  personHome: string | undefined,
): Promise<InsidePlaces> {
  const { dir, home, scratch } = grounds;
  if (!mayBeWritable(dir, grounds))
    throw new KairosError('no_place', `"${dir}" cannot be opened for a sandbox`);
  const find = async (given: string, kind: Mount['kind']): Promise<Mount[]> => {
    const path = await realPathOf(absolutePath(given, dir, personHome)).catch(() => null);
    const mount = path === null ? null : await mountAt(path, kind);
    return mount === null || (kind === 'write' && !mayBeWritable(mount.path, grounds)) ? [] : [mount];
  };
  const entries = await protectedEntries(dir);
  const found = await Promise.all([
    ...write.map((path) => find(path, 'write')),
    ...denyRead.map((path) => find(path, 'hide')),
    find(home, 'hide'),
    find(own, 'hide'),
  ]);
  const ground: Mount[] = [dir, scratch].map((path) => ({ kind: 'write', path, folder: true }));
  return { mounts: orderMounts([...ground, ...found.flat(), ...entries.mounts]), entries };
}

/** null: nothing is there. Links are resolved before. */
async function mountAt(path: string, kind: Mount['kind']): Promise<Mount | null> {
  try {
    const found = await lstat(path);
    return { kind, path, folder: found.isDirectory() };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error))) return null;
    throw error;
  }
}
