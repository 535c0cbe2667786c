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
import { type WalCaps, WalKeeper, walCaps } from './wal-keeper.ts';

/** Where the store is, and what only benchmarks and tests change. */
export interface SqliteStoreOptions extends StoreOptions {
  readonly home: Pick<Home, 'storeDb' | 'blobsDir'>;
  /** Benchmarks: each commit takes so much longer, as on a slow disk. */
  readonly fsyncDelayMs?: number;
  readonly caps?: WalCaps;
  readonly migrations?: readonly Migration[];
}

/** The store on disk. */
export interface SqliteStore extends Store {
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
  if (!rows.get(meta, 'code_secret')) rows.insert(meta, { key: 'code_secret', value: ids.random(32) });
  const { store } = createStore(
    {
      rows,
      transaction: sqliteTransaction({ database, blobs, keeper, fsyncDelayMs }),
      blobs,
      storageFault: (error) => storageFault(error, home.storeDb),
      committed: () => {
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
        database.close();
      },
    },
    options,
  );
  return { ...store, onWalPressure: (listener) => keeper.onPressure(listener) };
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
