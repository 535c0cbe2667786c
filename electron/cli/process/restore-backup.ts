import Database from 'better-sqlite3';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '../../../shared/base/visible-text.ts';
import { errorMessage } from '../../../shared/base/errors.ts';
import type { Home } from '../../node/home.ts';
import { syncPath } from '../../node/sync-path.ts';
import { exit } from '../exit.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { isoTime } from '../output/times.ts';

/** What to put back; `now` names what is moved aside. */
export interface RestoreOptions {
  /** Absolute path of a folder that `kairos backup` made. */
  readonly from: string;
  readonly replace: boolean;
  /** Wall ms. */
  readonly now: number;
}

/** What was done; `kept` are the paths under which what was there before stands now. */
export interface Restored {
  readonly from: string;
  readonly kept: readonly string[];
}

/** What belongs to a store: the database with its log, the blobs, and the settings. `search.db` is made anew from them. */
const parts = ['store.db', 'store.db-wal', 'store.db-shm', 'blobs', 'settings.json'];

/**
 * Puts a backup in the place of the store of a home whose lock the caller holds. All of it is copied and checked before
 * anything is moved; a crash in between leaves both under some name. Throws CommandFailure, having changed nothing.
 */
export function restoreBackup(home: Home, { from, replace, now }: RestoreOptions): Restored {
  if (!existsSync(join(from, 'store.db')))
    throw usageFailure(`"${from}" holds no backup.`, 'Name a folder that kairos backup made.');
  if (existsSync(home.storeDb) && !replace) {
    const message = `"${home.home}" has a store already; nothing was changed.`;
    throw new CommandFailure(exit.refused, message, 'Add --replace to move it aside.');
  }
  const stamp = isoTime(now).replace(/\D/g, '').slice(0, 14);
  const copy = join(home.home, `restore-${stamp}.tmp`);
  try {
    copyBackup(from, copy);
    checkSound(join(copy, 'store.db'));
    const kept = moveAside(home.home, copy, stamp);
    for (const name of readdirSync(copy)) renameSync(join(copy, name), join(home.home, name));
    for (const end of ['', '-wal', '-shm']) rmSync(`${home.searchDb}${end}`, { force: true });
    syncPath(home.home);
    return { from, kept };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyBackup(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const name of ['store.db', 'blobs', 'settings.json']) {
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true });
  }
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) syncPath(join(to, name));
}

function checkSound(path: string): void {
  const next = 'Take another backup; nothing was changed.';
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const found = database.pragma('quick_check', { simple: true });
      if (found === 'ok' && Number(database.pragma('user_version', { simple: true })) > 0) return;
      throw new CommandFailure(exit.failed, `The backup is damaged (${oneLine(String(found), 200)}).`, next);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(exit.failed, `The backup is damaged (${errorMessage(error)}).`, next, error);
  }
}

/** Settings stay when the backup has none. An empty blobs folder is nothing to keep. */
function moveAside(home: string, copy: string, stamp: string): string[] {
  const kept: string[] = [];
  for (const name of parts) {
    const path = join(home, name);
    if (!existsSync(path) || (name === 'settings.json' && !existsSync(join(copy, name)))) continue;
    if (name === 'blobs' && readdirSync(path).length === 0) {
      rmSync(path, { recursive: true });
      continue;
    }
    const aside = join(home, name.replace(/^(store\.db|blobs|settings\.json)/, `$1.bak-${stamp}`));
    renameSync(path, aside);
    kept.push(aside);
  }
  return kept;
}
