import Database from 'better-sqlite3';
import { storageFault } from './faults.ts';

/**
 * Opens the store's database for the one program that writes it. Every commit survives power loss; about 8 MB of page cache.
 * Nothing is scanned. Throws KairosError `corrupt` when the file is no database, `not_writable`, `busy`.
 */
export function openConnection(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 100 });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    if (process.platform === 'darwin') {
      database.pragma('fullfsync = 1');
      database.pragma('checkpoint_fullfsync = 1');
    }
    database.pragma('foreign_keys = ON');
    database.pragma('trusted_schema = OFF');
    database.pragma('cell_size_check = ON');
    database.pragma('cache_size = -8000');
    database.pragma('wal_autocheckpoint = 0');
    database.pragma(`journal_size_limit = ${16 * 1024 * 1024}`);
    return database;
  } catch (error) {
    database?.close();
    throw storageFault(error, path) ?? error;
  }
}
