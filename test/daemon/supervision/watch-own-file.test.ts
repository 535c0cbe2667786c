import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../electron/daemon/events/sqlite/open.ts';
import { watchOwnFile } from '../../../electron/daemon/supervision/watch-own-file.ts';
import { nextTurn, systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';

const folder = mkdtempSync(join(tmpdir(), 'kairos-lock-'));
const lock = join(folder, 'lock.db');
let stop = (): void => undefined;

function lost(): Promise<string> {
  writeFileSync(lock, 'x');
  return new Promise((resolve) => {
    stop = watchOwnFile(lock, () => resolve('lost'));
  });
}

afterEach(() => stop());

describe('a file of a running daemon', () => {
  it('is missed when it is deleted', async () => {
    const told = lost();
    rmSync(lock);
    expect(await told).toBe('lost');
  });

  it('is missed when another one takes its place, and not when it is only touched', async () => {
    const told = lost();
    utimesSync(lock, 1, 1);
    writeFileSync(join(folder, 'other'), 'y');
    renameSync(join(folder, 'other'), lock);
    expect(await told).toBe('lost');
  });

  it('is missed when it is the database: commits and their copying back are no loss, another one in its place is', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    const storeDb = join(home, 'store.db');
    const ids = createSystemIds(systemClock);
    const options = { home: { storeDb, blobsDir: join(home, 'blobs') }, clock: systemClock, ids };
    const store = await openSqliteStore(options);
    const told: string[] = [];
    const lostNow = new Promise<void>((resolve) => {
      stop = watchOwnFile(storeDb, () => {
        told.push('lost');
        resolve();
      });
    });
    // More rows than fit between two copies of the log, in few commits.
    await Promise.all(Array.from({ length: 1200 }, (_, n) => store.setMeta('key', String(n))));
    await store.setMeta('key', 'last');
    // The log was copied back into the file that is watched; the notice of that comes with the next turns.
    const grown = statSync(storeDb).size > 4096;
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    const before = [...told];
    copyFileSync(storeDb, join(home, 'older'));
    renameSync(join(home, 'older'), storeDb);
    await lostNow;
    await store.close();
    expect([grown, before, told]).toEqual([true, [], ['lost']]);
  });
});
