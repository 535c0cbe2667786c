import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireEarlierStore } from '../../electron/daemon/events/sqlite/earlier-store.ts';
import { openSqliteStore } from '../../electron/daemon/events/sqlite/open.ts';
import { type Home, homeLayout } from '../../electron/node/home.ts';
import { errorMessage } from '../../shared/base/errors.ts';
import { newSession, say } from './support/acts.ts';
import { createTestClock, createTestIds } from './support/clock-ids.ts';
import { storeFolder } from './support/folder.ts';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** What a start says of this home; `fine` when it goes on. */
function verdict(home: Home): string {
  try {
    requireEarlierStore(home, log);
    return 'fine';
  } catch (error) {
    return errorMessage(error);
  }
}

async function emptyHome(): Promise<Home> {
  const home = homeLayout((await storeFolder()).home);
  mkdirSync(home.blobsDir);
  return home;
}

/** The home of a daemon that was killed: its log was never copied back, so all that it stored is in store.db-wal. */
async function killedHome(): Promise<Home> {
  const from = await emptyHome();
  const store = await openSqliteStore({
    home: from,
    markFile: from.storeMark,
    clock: createTestClock(),
    ids: createTestIds(),
  });
  onTestFinished(() => store.close());
  const session = await newSession(store);
  for (let n = 0; n < 10; n += 1) await say(store, session, `message ${n}`);
  const home = await emptyHome();
  cpSync(from.home, home.home, { recursive: true });
  rmSync(`${home.storeDb}-shm`, { force: true });
  return home;
}

const left = (what: string, traces: string): string => `store.db ${what}, but an earlier run left ${traces}.`;

test('A new home, one whose first start died before it had a schema, and a healthy one go on.', async () => {
  const fresh = await emptyHome();
  const died = await emptyHome();
  writeFileSync(died.storeDb, '');
  writeFileSync(died.settingsFile, '{}');
  expect([verdict(fresh), verdict(died), verdict(await killedHome())]).toEqual(['fine', 'fine', 'fine']);
});

test.each([
  [
    'blobs',
    (home: Home) => (
      mkdirSync(join(home.blobsDir, 'ab')), writeFileSync(join(home.blobsDir, 'ab', 'abc'), 'x')
    ),
  ],
  ['search.db', (home: Home) => writeFileSync(home.searchDb, 'x')],
  ['store.db-wal (3 bytes)', (home: Home) => writeFileSync(`${home.storeDb}-wal`, 'xyz')],
  ['store.db.v1.bak', (home: Home) => writeFileSync(`${home.storeDb}.v1.bak`, 'x')],
  ['daemon.json', (home: Home) => writeFileSync(home.daemonFile, '{"pid": 1, "safe": null}')],
  [
    'the note that 12 events were stored',
    (home: Home) => writeFileSync(home.storeMark, `${'12'.padStart(16, '0')}\n`),
  ],
])(
  'A missing and an empty store.db are told where an earlier run left %s, again at every start.',
  async (traces, leave) => {
    const home = await emptyHome();
    leave(home);
    const first = verdict(home);
    // What a start in safe mode changes must not make the next one forget.
    rmSync(home.daemonFile, { force: true });
    const second = verdict(home) === 'fine';
    writeFileSync(home.storeDb, '');
    expect([first, second, verdict(home) === 'fine']).toEqual([left('is missing', traces), false, false]);
  },
);

test('The daemon file of a start in safe mode is no trace: that one had no store either.', async () => {
  const home = await emptyHome();
  writeFileSync(home.daemonFile, '{"pid": 1, "safe": "no store"}');
  expect(verdict(home)).toBe('fine');
});

test('A database whose whole content is in a log that cannot be read is told, and the log stays as it is.', async () => {
  const home = await killedHome();
  const bytes = readFileSync(`${home.storeDb}-wal`);
  bytes.fill(0xa7, 0, 32);
  writeFileSync(`${home.storeDb}-wal`, bytes);
  expect([verdict(home), readFileSync(`${home.storeDb}-wal`).equals(bytes)]).toEqual([
    left('holds nothing', `store.db-wal (${bytes.length} bytes), the note that 11 events were stored`),
    true,
  ]);
});

test('A database that lost all its events with its log is told although it has its schema.', async () => {
  const home = await killedHome();
  const empty = await emptyHome();
  const store = await openSqliteStore({ home: empty, clock: createTestClock(), ids: createTestIds() });
  await store.close();
  cpSync(empty.storeDb, home.storeDb);
  rmSync(`${home.storeDb}-wal`);
  expect([verdict(home), statSync(home.storeDb).size > 0]).toEqual([
    left('holds nothing', 'the note that 11 events were stored'),
    true,
  ]);
});
