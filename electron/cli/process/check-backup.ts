import Database from 'better-sqlite3';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { oneLine } from '../../../shared/base/visible-text.ts';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import { storeSchema, storeTables } from '../../../shared/protocol/backup.ts';
import { exit } from '../exit.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { whatInsteadOfFile } from '../../node/regular-file.ts';
import { readSqliteHeader } from '../../node/sqlite-header.ts';

const another = 'Take another backup; nothing was changed.';
const nameFolder = 'Name a folder that kairos backup made.';

function unusable(message: string, next = another, cause?: unknown): CommandFailure {
  return new CommandFailure(exit.failed, message, next, cause);
}

/** Throws CommandFailure (2) unless `from` is a folder with a database, other than the state directory itself. */
export function checkFolder(from: string, home: string): void {
  const status = statSync(from, { throwIfNoEntry: false });
  if (status === undefined) throw usageFailure(`There is no folder "${from}".`, nameFolder);
  if (!status.isDirectory())
    throw usageFailure(
      `"${from}" is ${whatInsteadOfFile(from) ?? 'a file'}, not a folder.`,
      existsSync(join(dirname(from), 'store.db')) ? `Name its folder: "${dirname(from)}"` : nameFolder,
    );
  if (sameFolder(from, home))
    throw usageFailure(`"${from}" is the state directory itself, not a backup.`, nameFolder);
  const database = join(from, 'store.db');
  if (!existsSync(database)) throw usageFailure(`"${from}" holds no backup: it has no store.db.`, nameFolder);
  const instead = whatInsteadOfFile(database);
  if (instead !== undefined) throw usageFailure(`"${database}" is ${instead}, not a file.`, nameFolder);
}

function sameFolder(left: string, right: string): boolean {
  const [one, other] = [statSync(left), statSync(right)];
  return one.ino === other.ino && one.dev === other.dev;
}

/** Throws CommandFailure (1) for a file that cannot be a whole database, before anything is copied. `path`: as people know it. */
export function checkFile(path: string): void {
  const { size } = statSync(path);
  if (size === 0) throw unusable(`The backup is empty: "${path}" has no content.`);
  const { isSqlite, promisedBytes } = readSqliteHeader(path);
  if (!isSqlite) throw unusable(`"${path}" is no database.`, `${nameFolder} Nothing was changed.`);
  if (size < promisedBytes)
    throw unusable(`The backup was cut off: "${path}" has ${size} of its ${promisedBytes} bytes.`);
}

/** Throws CommandFailure (1) unless the copy of the database `path` is whole and one that this version can use. */
export function checkDatabase(copy: string, path: string): void {
  try {
    const database = new Database(copy, { readonly: true, fileMustExist: true });
    try {
      checkOrigin(database, path);
      const found = String(database.pragma('quick_check', { simple: true }));
      if (found !== 'ok') throw unusable(`The backup is damaged (${oneLine(found, 200)}).`);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof CommandFailure || !errorCode(error).startsWith('SQLITE_')) throw error;
    throw unusable(`The backup is damaged (${errorMessage(error)}).`, another, error);
  }
}

function checkOrigin(database: Database.Database, path: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  const named = database.prepare<[string], { name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?",
  );
  const isOurs = version > 0 && storeTables.every((table) => named.get(table) !== undefined);
  if (!isOurs)
    throw unusable(
      `"${path}" is a database of another program, not of Kairos.`,
      `${nameFolder} Nothing was changed.`,
    );
  if (version > storeSchema)
    throw unusable(
      `The backup was made by a newer Kairos (schema ${version}, this one knows ${storeSchema}).`,
      'Restore it with the newer Kairos; nothing was changed.',
    );
}
