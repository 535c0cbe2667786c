import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  openSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from '../../../electron/daemon/events/sqlite/open.ts';
import { createTestClock, createTestIds } from './clock-ids.ts';

/** The files of a store in a folder that is removed after the test. */
export interface StoreFolder {
  readonly home: string;
  readonly storeDb: string;
  readonly blobsDir: string;
  readonly searchDb: string;
  readonly settingsFile: string;
}

export async function storeFolder(): Promise<StoreFolder> {
  const home = await mkdtemp(join(tmpdir(), 'kairos-files-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return filesIn(home);
}

export function filesIn(home: string): StoreFolder {
  return {
    home,
    storeDb: join(home, 'store.db'),
    blobsDir: join(home, 'blobs'),
    searchDb: join(home, 'search.db'),
    settingsFile: join(home, 'settings.json'),
  };
}

/** Opens a store that is closed after the test. */
export async function openIn(
  folder: StoreFolder,
  options: Partial<SqliteStoreOptions> = {},
): Promise<SqliteStore> {
  const clock = createTestClock();
  const store = await openSqliteStore({ clock, ids: createTestIds(), home: folder, ...options });
  onTestFinished(() => store.close());
  return store;
}
