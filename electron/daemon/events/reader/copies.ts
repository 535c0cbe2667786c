import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckReport, JobOf } from './job.ts';
import { openSource } from './source.ts';

/** Looks through the whole database and for every file it refers to. */
export function check(job: JobOf<'check'>): CheckReport {
  const source = openSource(job.storeDb);
  try {
    const rows = source.pragma('quick_check') as { quick_check: string }[];
    const database = rows.map((row) => row.quick_check).filter((line) => line !== 'ok');
    const hashes = source.prepare<[], { hash: string }>('SELECT DISTINCT hash FROM blob_refs').all();
    const missingBlobs = hashes
      .map(({ hash }) => hash)
      .filter((hash) => !existsSync(join(job.blobsDir, hash.slice(0, 2), hash)));
    return { database, missingBlobs };
  } finally {
    source.close();
  }
}
