import { copyFile, open, rename } from 'node:fs/promises';
import type Database from 'better-sqlite3';
import { KairosError } from '../../../../shared/base/errors.ts';
import { rulesV4 } from './rules-v4.ts';
import { schemaV1 } from './schema-v1.ts';
import { schemaV2 } from './schema-v2.ts';
import { schemaV3 } from './schema-v3.ts';
import { schemaV4 } from './schema-v4.ts';

/** One step forward; there is no way back but the copy that was made before. */
export interface Migration {
  /** The version after it. */
  readonly to: number;
  readonly up: (database: Database.Database) => void;
}

/** Every step from an empty file on, in order. A step that was released never changes. */
export const migrations: readonly Migration[] = [
  { to: 1, up: (database) => void database.exec(schemaV1) },
  { to: 2, up: (database) => void database.exec(schemaV2) },
  { to: 3, up: (database) => void database.exec(schemaV3) },
  {
    to: 4,
    up(database) {
      database.exec(schemaV4);
      rulesV4(database);
    },
  },
];

/** The schema version of an open database; 0 for a new file. */
export function schemaVersion(database: Database.Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}

/**
 * Brings the database to the newest version of `steps`, after copying an older one to `<path>.v<version>.bak`. Each step is one
 * transaction. Throws KairosError `schema_newer` for a file of a newer program, having changed nothing.
 */
export async function migrate(database: Database.Database, path: string, steps = migrations): Promise<void> {
  const version = schemaVersion(database);
  const newest = steps.at(-1)?.to ?? 0;
  if (version > newest) {
    throw new KairosError(
      'schema_newer',
      `"${path}" was written by a newer Kairos (schema ${version}, this one knows ${newest}).`,
      {
        next: 'Install the newer Kairos, or start with another KAIROS_HOME.',
      },
    );
  }
  if (version === newest) return;
  if (version > 0) await backUp(database, path, version);
  for (const step of steps) if (step.to > version) apply(database, step);
}

function apply(database: Database.Database, step: Migration): void {
  database
    .transaction(() => {
      step.up(database);
      database.pragma(`user_version = ${step.to}`);
    })
    .exclusive();
}

/** A complete copy under its final name, or none. Nobody else writes: the caller holds the home's lock. */
async function backUp(database: Database.Database, path: string, version: number): Promise<void> {
  database.pragma('wal_checkpoint(TRUNCATE)');
  const copy = `${path}.v${version}.bak`;
  await copyFile(path, `${copy}.tmp`);
  const file = await open(`${copy}.tmp`, 'r+');
  await file.sync();
  await file.close();
  await rename(`${copy}.tmp`, copy);
}
