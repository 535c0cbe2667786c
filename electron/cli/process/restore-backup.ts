import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../../shared/base/errors.ts';
import { backupParts } from '../../../shared/protocol/backup.ts';
import type { Home } from '../../node/home.ts';
import { syncPath } from '../../node/sync-path.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { moveAside, removeSearchIndex, stampOf } from './move-aside.ts';
import { checkDatabase, checkFile, checkFolder } from './check-backup.ts';

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
const parts = ['store.db', 'store.db-wal', 'store.db-shm', 'store.mark', 'blobs', 'settings.json'];

/**
 * Puts a backup in the place of the store of a home whose lock the caller holds. All of it is copied and checked before
 * anything is moved; a crash in between leaves both under some name. Throws CommandFailure, having changed nothing.
 */
export function restoreBackup(home: Home, { from, replace, now }: RestoreOptions): Restored {
  checkFolder(from, home.home);
  if (existsSync(home.storeDb) && !replace) {
    const message = `"${home.home}" has a store already; nothing was changed.`;
    throw new CommandFailure(exit.refused, message, 'Add --replace to move it aside.');
  }
  const source = join(from, 'store.db');
  checkFile(source);
  const stamp = stampOf(now);
  const copy = join(home.home, `restore-${stamp}.tmp`);
  try {
    copyBackup(from, copy);
    checkDatabase(join(copy, 'store.db'), source);
    // Settings stay when the backup has none.
    const replaced = parts.filter((name) => name !== 'settings.json' || existsSync(join(copy, name)));
    const kept = moveAside(home.home, replaced, stamp);
    for (const name of readdirSync(copy)) renameSync(join(copy, name), join(home.home, name));
    removeSearchIndex(home);
    syncPath(home.home);
    return { from, kept };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyBackup(from: string, to: string): void {
  try {
    mkdirSync(to, { mode: 0o700 });
    for (const name of backupParts) {
      if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true });
    }
    for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) syncPath(join(to, name));
  } catch (error) {
    throw copyFailure(error, from, to);
  }
}

function copyFailure(error: unknown, from: string, to: string): unknown {
  const code = errorCode(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT': {
      const message = `The disk of "${dirname(to)}" has no room for the backup.`;
      return new CommandFailure(exit.failed, message, 'Free some space; nothing was changed.', error);
    }
    case 'EACCES':
    case 'EPERM': {
      const message = `A part of "${from}" may not be read.`;
      return new CommandFailure(exit.failed, message, 'Change its permissions; nothing was changed.', error);
    }
    default:
      return error;
  }
}
