import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../node/home.ts';
import { isoTime } from '../output/times.ts';

/** A wall instant (ms) as a part of a file's name. */
export function stampOf(now: number): string {
  return isoTime(now).replace(/\D/g, '').slice(0, 14);
}

/**
 * Renames files and folders of a home that are there to names that end with `.bak-<stamp>` (what belongs to a database stays
 * beside it); the paths under which they stand now. An empty blobs folder is nothing to keep.
 */
export function moveAside(home: string, names: readonly string[], stamp: string): string[] {
  const kept: string[] = [];
  for (const name of names) {
    const path = join(home, name);
    if (!existsSync(path)) continue;
    if (name === 'blobs' && readdirSync(path).length === 0) {
      rmSync(path, { recursive: true });
      continue;
    }
    const aside = join(
      home,
      name.replace(/^(store\.db|store\.mark|blobs|settings\.json)/, `$1.bak-${stamp}`),
    );
    renameSync(path, aside);
    kept.push(aside);
  }
  return kept;
}

/** Deletes the index of the search, which is made anew from whatever store is there. */
export function removeSearchIndex({ searchDb }: Pick<Home, 'searchDb'>): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${searchDb}${end}`, { force: true });
}
