import Database from 'better-sqlite3';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { KairosError } from '../../../../shared/base/errors.ts';
import type { Log } from '../../../../shared/base/ports.ts';
import type { Home } from '../../../node/home.ts';
import { readMark, StoreMark } from './store-mark.ts';

/** The files of a home that tell whether a store was here before. */
export type EarlierFiles = Pick<Home, 'storeDb' | 'storeMark' | 'blobsDir' | 'searchDb' | 'daemonFile'>;

/** What people can do about a store that is gone. */
export const missingStoreNext =
  'Put a backup back (kairos restore FOLDER --replace), or start empty and keep what is left (kairos daemon start --fresh).';

/**
 * Throws `store_missing` when the store is gone or holds nothing although an earlier run left something: to start empty then
 * would look as if nothing had ever been said, and would destroy a log that may still be saved. Changes nothing but the mark.
 */
export function requireEarlierStore(files: EarlierFiles, log: Log): void {
  const bytes = sizeOf(files.storeDb);
  const state = bytes === 0 ? { schema: 0, newest: 0 } : lookInto(files.storeDb);
  // What cannot be read is told by the one who opens it.
  if (state === null || state.newest > 0) return;
  const mark = readMark(files.storeMark);
  const left = state.schema === 0 ? leftovers(files) : [];
  const events = mark === null || mark === 0 ? [] : [`the note that ${mark} events were stored`];
  if (left.length === 0 && events.length === 0 && (mark === null || state.schema > 0)) return;
  // Without a mark the next start might find less and begin empty after all.
  if (mark === null) keepMark(files.storeMark, log);
  const what = bytes > 0 ? 'holds nothing' : sizeOrNull(files.storeDb) === null ? 'is missing' : 'is empty';
  const found = [...left, ...events];
  const traces = found.length === 0 ? 'its mark' : found.join(', ');
  throw new KairosError('store_missing', `store.db ${what}, but an earlier run left ${traces}.`, {
    next: missingStoreNext,
  });
}

function keepMark(path: string, log: Log): void {
  const mark = new StoreMark(path, log);
  mark.note(0);
  mark.close();
}

function sizeOrNull(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

function sizeOf(path: string): number {
  return sizeOrNull(path) ?? 0;
}

/** Read only: closing such a connection neither copies the write-ahead log back nor deletes it. Null: it cannot be read. */
function lookInto(path: string): { schema: number; newest: number } | null {
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 100 });
    try {
      const schema = Number(database.pragma('user_version', { simple: true }));
      if (schema === 0) return { schema, newest: 0 };
      const newest = database.prepare<[], number | null>('SELECT max(id) FROM events').pluck().get();
      return { schema, newest: newest ?? 0 };
    } finally {
      database.close();
    }
  } catch {
    // Damaged, locked or no database at all.
    return null;
  }
}

/** What an earlier run left, as people know it. */
function leftovers(files: EarlierFiles): string[] {
  const name = basename(files.storeDb);
  const log = `${name}-wal`;
  const found: string[] = [];
  if (sizeOf(`${files.storeDb}-wal`) > 0) found.push(`${log} (${sizeOf(`${files.storeDb}-wal`)} bytes)`);
  if (hasBlobs(files.blobsDir)) found.push('blobs');
  if (sizeOf(files.searchDb) > 0) found.push(basename(files.searchDb));
  const copies = readdirSync(dirname(files.storeDb)).filter(
    (each) => each.startsWith(`${name}.v`) && each.endsWith('.bak'),
  );
  found.push(...copies.slice(0, 2));
  if (wasReady(files.daemonFile)) found.push(basename(files.daemonFile));
  return found;
}

function hasBlobs(folder: string): boolean {
  const names = sizeOrNull(folder) === null ? [] : readdirSync(folder, { withFileTypes: true });
  return names.some((each) => each.isDirectory() && readdirSync(join(folder, each.name)).length > 0);
}

const readySchema = z.looseObject({ safe: z.null() });

/** A daemon that died had been ready, and not in safe mode: so it had had a store. */
function wasReady(daemonFile: string): boolean {
  try {
    return readySchema.safeParse(JSON.parse(readFileSync(daemonFile, 'utf8'))).success;
  } catch {
    // Absent or half written.
    return false;
  }
}
