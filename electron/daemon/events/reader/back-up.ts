import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncPath } from '../../../node/sync-path.ts';
import { checkPlace, makeFolder, targetFault } from './back-up-place.ts';
import type { BackupReport, JobOf } from './job.ts';
import { openSource } from './source.ts';

/**
 * Makes the folder `to` with a compact copy of the database as it is at this moment, every blob that copy refers to, and the
 * settings. The folder gets its name when all of it is on the disk. Throws `bad_input` when the name is taken, has no parent or
 * lies inside the state directory, `disk_full` when its own disk is.
 */
export function backUp(job: JobOf<'backup'>): BackupReport {
  checkPlace(job.to, dirname(job.storeDb));
  const making = `${job.to}.making-${process.pid}`;
  makeFolder(making, job.to);
  try {
    const report = fill(job, making);
    renameSync(making, job.to);
    syncPath(dirname(job.to));
    return report;
  } catch (error) {
    // The store is only read: what is full is the place of the backup.
    throw targetFault(error, job.to) ?? error;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function fill(job: JobOf<'backup'>, folder: string): BackupReport {
  const copy = join(folder, 'store.db');
  copyDatabase(job.storeDb, copy);
  const { copied, missing, bytes } = copyBlobs(copy, job.blobsDir, join(folder, 'blobs'));
  if (existsSync(job.settingsFile)) copyDurably(job.settingsFile, join(folder, 'settings.json'));
  syncPath(folder);
  return { to: job.to, bytes: bytes + statSync(copy).size, blobs: copied, missing };
}

function copyDatabase(from: string, to: string): void {
  const source = openSource(from);
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  syncPath(to);
}

/** The copy says what belongs to it: the store may have gone on meanwhile, and a blob never changes. */
function copyBlobs(
  copy: string,
  from: string,
  to: string,
): { copied: number; missing: string[]; bytes: number } {
  const source = openSource(copy);
  const hashes = source.prepare<[], { hash: string }>('SELECT DISTINCT hash FROM blob_refs').all();
  source.close();
  mkdirSync(to, { mode: 0o700 });
  const missing: string[] = [];
  let [copied, bytes] = [0, 0];
  for (const { hash } of hashes) {
    const path = join(from, hash.slice(0, 2), hash);
    if (!existsSync(path)) {
      missing.push(hash);
      continue;
    }
    mkdirSync(join(to, hash.slice(0, 2)), { recursive: true, mode: 0o700 });
    bytes += copyDurably(path, join(to, hash.slice(0, 2), hash));
    copied += 1;
  }
  return { copied, missing, bytes };
}

function copyDurably(from: string, to: string): number {
  copyFileSync(from, to);
  syncPath(to);
  return statSync(to).size;
}
