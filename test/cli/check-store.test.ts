import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkStore } from '../../electron/cli/process/check-store.ts';
import { storeSchema } from '../../shared/protocol/backup.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kairos-check-store-'));
  path = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A database of some pages whose schema has that number. */
function database(version: number): void {
  const made = new Database(path);
  made.exec('CREATE TABLE t (x)');
  made.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(50_000));
  made.pragma(`user_version = ${version}`);
  made.close();
}

const backup =
  'Put a backup back (kairos restore FOLDER --replace), or start empty and keep what is left: kairos daemon start --fresh';

test.each<[string, () => void, string, RegExp, string]>([
  ['none', () => undefined, 'ok', /^none yet/, ''],
  ['one without content', () => writeFileSync(path, ''), 'ok', /^empty$/, ''],
  ['a whole one', () => database(storeSchema), 'ok', new RegExp(`^schema ${storeSchema}, 0\\.1 MB`), ''],
  [
    'a newer one',
    () => database(9999),
    'fail',
    /was written by a newer Kairos \(schema 9999, this one knows \d+\)\.$/,
    'Install the newer Kairos.',
  ],
  [
    'what is no database',
    () => writeFileSync(path, 'no database'.repeat(99)),
    'fail',
    /it is no database\.$/,
    backup,
  ],
  [
    'one that was cut off',
    () => {
      database(storeSchema);
      truncateSync(path, 8_192);
    },
    'fail',
    /it was cut off, 8192 of its \d+ bytes are there\.$/,
    backup,
  ],
  [
    'one whose end is in its log still',
    () => {
      database(storeSchema);
      truncateSync(path, 8_192);
      writeFileSync(`${path}-wal`, 'x');
    },
    'ok',
    /^schema/,
    '',
  ],
  ['a folder in its place', () => mkdirSync(path), 'fail', /is a directory, not a file\.$/, 'Move it away.'],
])('doctor sees the store from outside and changes nothing: %s', (_title, make, state, detail, next) => {
  make();
  const before = content();
  expect(checkStore(path)).toEqual({ name: 'store', state, detail: expect.stringMatching(detail), next });
  expect(content()).toEqual(before);
});

function content(): Buffer | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : null;
}
