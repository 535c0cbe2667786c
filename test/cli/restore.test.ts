import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeSchema } from '../../shared/protocol/backup.ts';
import { newSession, say } from '../store/support/acts.ts';
import { openIn, storeFolder } from '../store/support/folder.ts';
import { type Harness, createHarness } from './support/cli-harness.ts';

let harness: Harness;
let folder: string;

beforeEach(async () => {
  harness = createHarness();
  chmodSync(harness.home.home, 0o700);
  const files = await storeFolder();
  const store = await openIn(files);
  await say(store, await newSession(store), 'kept '.repeat(2000));
  await store.close();
  folder = files.home;
});
afterEach(() => harness.dispose());

function changed(sql: string): void {
  const database = new Database(join(folder, 'store.db'));
  database.exec(sql);
  database.close();
}

/** What a restore says, with the paths of this run replaced. */
async function restore(from = folder) {
  const { code, out, err } = await harness.run(['restore', from, '--replace']);
  const text = (out + err).replaceAll(folder, 'FROM').replaceAll(harness.home.home, 'HOME');
  return { code, text: text.trim() };
}

const store = (): string => join(folder, 'store.db');
const another = 'Take another backup; nothing was changed.';
const made = 'Name a folder that kairos backup made.';

test.each<[string, () => unknown, number, string]>([
  [
    'a backup of a newer schema',
    () => changed('PRAGMA user_version = 99'),
    1,
    `The backup was made by a newer Kairos (schema 99, this one knows ${storeSchema}). Restore it with the newer Kairos; nothing was changed.`,
  ],
  [
    'a database of another program',
    () => {
      writeFileSync(store(), '');
      changed('CREATE TABLE photos (name TEXT); PRAGMA user_version = 3');
    },
    1,
    `"FROM/store.db" is a database of another program, not of Kairos. ${made} Nothing was changed.`,
  ],
  [
    'a database without a version',
    () => changed('PRAGMA user_version = 0'),
    1,
    `"FROM/store.db" is a database of another program, not of Kairos. ${made} Nothing was changed.`,
  ],
  [
    'a file that is no database',
    () => writeFileSync(store(), 'some text'),
    1,
    `"FROM/store.db" is no database. ${made} Nothing was changed.`,
  ],
  [
    'an empty file',
    () => writeFileSync(store(), ''),
    1,
    `The backup is empty: "FROM/store.db" has no content. ${another}`,
  ],
  [
    'a file that was cut off',
    () => truncateSync(store(), 20_000),
    1,
    `The backup was cut off: "FROM/store.db" has 20000 of its SIZE bytes. ${another}`,
  ],
  [
    'a file that was cut off in its header',
    () => truncateSync(store(), 50),
    1,
    `The backup was cut off: "FROM/store.db" has 50 of its 100 bytes. ${another}`,
  ],
  [
    'a folder without a database',
    () => execFileSync('rm', [store()]),
    2,
    `"FROM" holds no backup: it has no store.db. ${made}`,
  ],
  [
    'a named pipe',
    () => execFileSync('sh', ['-c', 'rm "$0" && mkfifo "$0"', store()]),
    2,
    `"FROM/store.db" is a named pipe, not a file. ${made}`,
  ],
])('%s has its own sentence, and nothing is changed', async (_title, spoil, code, text) => {
  const { size } = { size: readFileSync(store()).length };
  spoil();
  const said = await restore();
  expect({
    ...said,
    text: said.text.replace(` ${size} bytes`, ' SIZE bytes'),
    left: readdirSync(harness.home.home).filter((name) => /store|restore|bak/.test(name)),
  }).toEqual({ code, text, left: [] });
});

test('a place that is no backup folder is named', async () => {
  const file = join(folder, 'store.db');
  mkdirSync(join(folder, 'empty'));
  const places = [join(folder, 'nowhere'), join(file, 'below'), file, harness.home.home];
  const said = [];
  for (const place of places) said.push(await restore(place));
  expect(said).toEqual([
    { code: 2, text: `There is no folder "FROM/nowhere". ${made}` },
    { code: 2, text: `There is no folder "FROM/store.db/below". ${made}` },
    { code: 2, text: '"FROM/store.db" is a file, not a folder. Name its folder: "FROM"' },
    { code: 2, text: `"HOME" is the state directory itself, not a backup. ${made}` },
  ]);
});

test('a damaged page is found, and a sound backup is put in place', async () => {
  const sound = readFileSync(store());
  const bytes = Buffer.from(sound);
  bytes.fill(0x5a, 4096, 3 * 4096);
  writeFileSync(store(), bytes);
  const damaged = await restore();
  writeFileSync(store(), sound);
  const restored = await restore();
  expect([
    damaged.code,
    /^The backup is damaged \(.+\)\. Take another backup; nothing was changed\.$/.test(damaged.text),
    restored,
    readFileSync(harness.home.storeDb).equals(sound),
  ]).toEqual([1, true, { code: 0, text: 'Restored from FROM. Start it with: kairos daemon start' }, true]);
});
