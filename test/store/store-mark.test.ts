import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../electron/daemon/events/sqlite/open.ts';
import { readMark } from '../../electron/daemon/events/sqlite/store-mark.ts';
import { log, newSession, say } from './support/acts.ts';
import { createTestClock, createTestIds } from './support/clock-ids.ts';
import { filesIn, type StoreFolder, storeFolder } from './support/folder.ts';

const markOf = (folder: StoreFolder): string => join(folder.home, 'store.mark');

async function open(folder: StoreFolder, firstId = 1): Promise<SqliteStore> {
  const ids = createTestIds(firstId);
  const options = { home: folder, markFile: markOf(folder), clock: createTestClock(), ids };
  const store = await openSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** The files as a kill at this moment leaves them. */
async function copyOf(folder: StoreFolder): Promise<StoreFolder> {
  const copy = filesIn(join((await storeFolder()).home, 'copy'));
  mkdirSync(copy.home);
  cpSync(folder.home, copy.home, { recursive: true });
  rmSync(`${copy.storeDb}-shm`, { force: true });
  return copy;
}

/** Twelve events, six of them in the database and six in its log. */
async function halfInLog(): Promise<{ folder: StoreFolder; session: string }> {
  const folder = await storeFolder();
  const first = await open(folder);
  const session = await newSession(first, { name: 'talk' });
  for (let n = 0; n < 5; n += 1) await say(first, session);
  await first.close();
  const second = await open(folder, 1000);
  for (let n = 0; n < 6; n += 1) await say(second, session);
  return { folder: await copyOf(folder), session };
}

test('After kill -9 nothing is missing, and the mark is as far as the store.', async () => {
  const { folder, session } = await halfInLog();
  const marked = readMark(markOf(folder));
  const store = await open(folder, 5000);
  expect([marked, store.lostEvents, (await log(store, session)).length]).toEqual([12, 0, 11]);
});

test('A log whose end is damaged loses its last events: their number is known once, and the store goes on.', async () => {
  const { folder, session } = await halfInLog();
  const wal = `${folder.storeDb}-wal`;
  const bytes = readFileSync(wal);
  bytes.fill(0xa7, Math.floor(bytes.length / 2));
  writeFileSync(wal, bytes);
  const store = await open(folder, 5000);
  const { lostEvents } = store;
  const there = (await store.health()).events;
  await say(store, session);
  await store.close();
  const again = await open(folder, 6000);
  expect([lostEvents + there, lostEvents > 0, lostEvents < 6, again.lostEvents]).toEqual([12, true, true, 0]);
});

test('A log that is gone altogether is missed too, as long as nothing was stored since.', async () => {
  const { folder } = await halfInLog();
  truncateSync(`${folder.storeDb}-wal`, 0);
  const store = await open(folder, 5000);
  await store.close();
  const again = await open(folder, 6000);
  expect([store.lostEvents, again.lostEvents]).toEqual([6, 6]);
});

test('A verb that was refused does not count, and a mark that cannot be read says nothing.', async () => {
  const { folder, session } = await halfInLog();
  const store = await open(folder, 5000);
  await store.renameSession('unknown', 'x').catch(() => null);
  await say(store, session);
  const marked = readMark(markOf(folder));
  await store.close();
  writeFileSync(markOf(folder), 'something else\n');
  const again = await open(folder, 6000);
  expect([marked, again.lostEvents, readMark(markOf(folder))]).toEqual([13, 0, 13]);
});
