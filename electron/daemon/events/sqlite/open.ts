import { mkdirSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Home } from '../../../node/home.ts';
import { FileBlobs } from '../blobs/file-blobs.ts';
import type { Store } from '../port.ts';
import type { Transaction } from '../rows/table.ts';
import { meta } from '../rows/tables.ts';
import { createStore, type StoreOptions } from '../store.ts';
import { openConnection } from './connection.ts';
import { storageFault } from './faults.ts';
import { type Migration, migrate, schemaVersion } from './migrations.ts';
import { SqliteRows } from './sqlite-rows.ts';
import { readMark, StoreMark } from './store-mark.ts';
import { type WalCaps, WalKeeper, walCaps } from './wal-keeper.ts';

/** Where the store is, and what only benchmarks and tests change. */
export interface SqliteStoreOptions extends StoreOptions {
  readonly home: Pick<Home, 'storeDb' | 'blobsDir'>;
  /** Where it is noted how far the store has come; absent: nowhere, and a lost end goes unnoticed. */
  readonly markFile?: string;
  /** Benchmarks: each commit takes so much longer, as on a slow disk. */
  readonly fsyncDelayMs?: number;
  readonly caps?: WalCaps;
  readonly migrations?: readonly Migration[];
}

/** The store on disk. */
export interface SqliteStore extends Store {
  /** Events that had been stored and were not there any more when it was opened: the end of a damaged log, an older copy. */
  readonly lostEvents: number;
  /** Called when the write-ahead log is too long because somebody reads an old snapshot: readers of ours should end. */
  onWalPressure(listener: () => void): () => void;
}

/**
 * Opens (or makes) the store of a home whose lock the caller holds; brings an older schema forward after a copy. Rejects with
 * KairosError `schema_newer`, `corrupt`, `not_writable`, `disk_full`.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { storeDb, blobsDir } = options.home;
  const database = openConnection(storeDb);
  try {
    await migrate(database, storeDb, options.migrations);
    mkdirSync(blobsDir, { recursive: true, mode: 0o700 });
    return assemble(database, options);
  } catch (error) {
    database.close();
    throw storageFault(error, storeDb) ?? error;
  }
}

function assemble(database: Database.Database, options: SqliteStoreOptions): SqliteStore {
  const { home, clock, ids, log, fsyncDelayMs = 0 } = options;
  const blobs = new FileBlobs(home.blobsDir, clock);
  const rows = new SqliteRows(database, blobs);
  const keeper = new WalKeeper(database, options.caps ?? walCaps, log);
  const { lostEvents, noteNewest, mark } = watchEnd(database, options);
  if (!rows.get(meta, 'code_secret')) rows.insert(meta, { key: 'code_secret', value: ids.random(32) });
  const { store } = createStore(
    {
      rows,
      transaction: sqliteTransaction({ database, blobs, keeper, fsyncDelayMs }),
      blobs,
      storageFault: (error) => storageFault(error, home.storeDb),
      committed: () => {
        noteNewest();
        const { writes } = rows;
        rows.writes = 0;
        // In a turn of its own: a checkpoint waits for the disk too.
        if (keeper.wrote(writes)) setImmediate(() => database.open && keeper.relieve());
      },
      health: () => ({
        schema: schemaVersion(database),
        databaseBytes: pragmaNumber(database, 'page_count') * pragmaNumber(database, 'page_size'),
        walBytes: keeper.bytes(),
      }),
      close: async () => {
        if (!database.open) return;
        keeper.finish();
        mark?.close();
        database.close();
      },
    },
    options,
  );
  return { ...store, lostEvents, onWalPressure: (listener) => keeper.onPressure(listener) };
}

/** Compares how far the store is with how far it had been; `noteNewest` after each commit. Neither throws. */
function watchEnd(
  database: Database.Database,
  { markFile, log }: SqliteStoreOptions,
): { lostEvents: number; noteNewest: () => void; mark: StoreMark | null } {
  if (markFile === undefined) return { lostEvents: 0, noteNewest: () => undefined, mark: null };
  const mark = new StoreMark(markFile, log);
  const select = database.prepare<[], number | null>('SELECT max(id) FROM events').pluck();
  const newest = (): number | null => {
    try {
      return select.get() ?? 0;
    } catch {
      // A damaged page: whoever needs it is told.
      return null;
    }
  };
  const noteNewest = (): void => {
    const now = newest();
    if (now !== null) mark.note(now);
  };
  const had = readMark(markFile) ?? 0;
  const has = newest() ?? had;
  // What was lost stays noted until the first commit, in which the loss itself is stored.
  if (has >= had) mark.note(has);
  return { lostEvents: Math.max(0, had - has), noteNewest, mark };
}

function pragmaNumber(database: Database.Database, name: string): number {
  return database.pragma(name, { simple: true }) as number;
}

interface TransactionParts {
  readonly database: Database.Database;
  readonly blobs: FileBlobs;
  readonly keeper: WalKeeper;
  readonly fsyncDelayMs: number;
}

function sqliteTransaction({ database, blobs, keeper, fsyncDelayMs }: TransactionParts): Transaction {
  const run = (sql: string): (() => void) => {
    const statement = database.prepare(sql);
    return () => void statement.run();
  };
  const begin = run('BEGIN IMMEDIATE');
  const commit = run('COMMIT');
  const rollback = run('ROLLBACK');
  const mark = run('SAVEPOINT verb');
  const release = run('RELEASE verb');
  const undo = run('ROLLBACK TO verb');
  return {
    begin: () => {
      keeper.requireRoom();
      begin();
    },
    commit: () => {
      blobs.flush();
      commit();
      if (fsyncDelayMs > 0) block(fsyncDelayMs);
    },
    rollback: () => {
      blobs.forget();
      if (database.inTransaction) rollback();
    },
    mark,
    release,
    rollbackTo: () => {
      undo();
      release();
    },
  };
}

/** Holds the thread as an fsync would. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
