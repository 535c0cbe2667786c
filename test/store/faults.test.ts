import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { failureText } from '../../electron/daemon/compose-parts.ts';
import { newestSchema } from '../../electron/daemon/events/rows/newest-schema.ts';
import { createMemoryDisk, createMemoryStore } from '../../electron/daemon/events/memory/memory-store.ts';
import type { Store } from '../../electron/daemon/events/port.ts';
import { safeModeWords } from '../../shared/protocol/safe-mode.ts';
import { codeOf } from '../conformance/store-rig.ts';
import { begin, log, newSession, say, terms } from './support/acts.ts';
import { createTestClock, createTestIds } from './support/clock-ids.ts';
import { filesIn, openIn, storeFolder } from './support/folder.ts';

// Real files and processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

/** A file system of so many MB, or null where this user may not mount one. */
function smallDisk(path: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', path]));
  return true;
}

/** Says long things until the store refuses; the refusal's code and how many were acknowledged. */
async function fill(store: Store, session: string): Promise<{ code: string; stored: number }> {
  for (let stored = 0; ; stored += 1) {
    const code = await codeOf(say(store, session, 'x'.repeat(50_000)));
    if (code !== 'resolved') return { code, stored };
  }
}

async function eventCount(store: Store, session: string): Promise<number> {
  return (await store.events(session, { after: 0, limit: 1000 })).length;
}

describe('a full disk', () => {
  test('refuses with disk_full, keeps what was acknowledged, and takes more when there is space', async ({
    skip,
  }) => {
    const folder = await storeFolder();
    if (!smallDisk(folder.home, 6)) skip('mounting a small file system needs root');
    const ballast = join(folder.home, 'ballast');
    writeFileSync(ballast, Buffer.alloc(1024 * 1024));
    const store = await openIn(folder);
    const session = await newSession(store);
    const { code, stored } = await fill(store, session);
    expect([code, stored > 5, (await store.health()).full]).toEqual(['disk_full', true, true]);
    expect(await eventCount(store, session)).toBe(stored + 1);
    expect(await codeOf(say(store, session, 'x'.repeat(50_000)))).toBe('disk_full');
    writeFileSync(ballast, '');
    expect(await codeOf(say(store, session, 'x'.repeat(50_000)))).toBe('resolved');
    expect([(await store.health()).full, await eventCount(store, session)]).toEqual([false, stored + 2]);
  });

  test('a blob that does not fit is refused and leaves nothing behind', async ({ skip }) => {
    const folder = await storeFolder();
    if (!smallDisk(folder.home, 4)) skip('mounting a small file system needs root');
    const store = await openIn(folder);
    expect(await codeOf(store.putBlob(Buffer.alloc(8 * 1024 * 1024, 1)))).toBe('disk_full');
    const session = await newSession(store);
    expect(await codeOf(say(store, session))).toBe('resolved');
  });

  test('every verb of the batch is refused, in memory as on disk', async () => {
    const disk = createMemoryDisk();
    const store = createMemoryStore({ disk, clock: createTestClock(), ids: createTestIds() });
    const session = await newSession(store);
    disk.full = true;
    const codes = await Promise.all([codeOf(say(store, session)), codeOf(say(store, session))]);
    expect([codes, await eventCount(store, session), (await store.health()).full]).toEqual([
      ['disk_full', 'disk_full'],
      1,
      true,
    ]);
    disk.full = false;
    await say(store, session);
    expect(await log(store, session)).toEqual(['message.received']);
  });
});

describe('damage', () => {
  test('a file that is no database is refused with what to do', async () => {
    const folder = await storeFolder();
    writeFileSync(folder.storeDb, 'this is not a database, it only has its name. '.repeat(200));
    const fault = await openIn(folder).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: 'corrupt' });
    // What the supervisor keeps as the reason of safe mode: one sentence with one advice, which is not added to.
    const { why, next } = safeModeWords(failureText(fault));
    expect([why, next]).toEqual([
      `A part of "${folder.storeDb}" is damaged (file is not a database).`,
      'Stop Kairos (kairos daemon stop) and put a backup back (kairos restore FOLDER --replace), or start empty and keep what is left (kairos daemon start --fresh).',
    ]);
  });

  test('a damaged page is told by what touches it, the rest goes on', async () => {
    const folder = await storeFolder();
    const first = await openIn(folder);
    const [hurt, well] = [await newSession(first), await newSession(first)];
    for (let n = 0; n < 300; n += 1) await say(first, hurt, `${n} ${'y'.repeat(2000)}`);
    await first.close();
    const file = openSync(folder.storeDb, 'r+');
    const pageOfEvents = damagedPage(folder.storeDb);
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (pageOfEvents - 1) * 4096);
    closeSync(file);
    const store = await openIn(folder);
    const codes: string[] = [];
    for (let before = 302; before > 2; before -= 20)
      codes.push(await codeOf(store.events(hurt, { before, limit: 20 })));
    expect(new Set(codes)).toEqual(new Set(['corrupt', 'resolved']));
    await say(store, well, 'still here');
    expect((await begin(store, well)).n).toBe(1);
    expect((await store.summaries()).map(({ session }) => session.id)).toEqual([hurt, well]);
  });

  test('a long event whose file is gone is told, the events around it are there', async () => {
    const folder = await storeFolder();
    const store = await openIn(folder);
    const session = await newSession(store);
    await say(store, session, 'short');
    await say(store, session, 'z'.repeat(100_000));
    execFileSync('rm', ['-r', folder.blobsDir]);
    await expect(store.events(session, { limit: 1 })).rejects.toMatchObject({ code: 'corrupt' });
    expect(await store.events(session, { limit: 2, before: 3 })).toHaveLength(2);
    await say(store, session, 'after');
  });
});

/** The number of a leaf page in the middle of the events table. */
function damagedPage(path: string): number {
  const database = new Database(path, { readonly: true });
  const pages = database
    .prepare<[], { pageno: number }>(
      "SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path",
    )
    .all();
  database.close();
  return pages[Math.floor(pages.length / 2)]?.pageno ?? 0;
}

describe('schemas', () => {
  test('a newer one is refused and not touched', async () => {
    const folder = await storeFolder();
    await (await openIn(folder)).close();
    const database = new Database(folder.storeDb);
    database.pragma('user_version = 7777');
    database.close();
    const before = readFileSync(folder.storeDb);
    await expect(openIn(folder)).rejects.toMatchObject({
      code: 'schema_newer',
      message: expect.stringContaining('schema 7777'),
    });
    expect(readFileSync(folder.storeDb).equals(before)).toBe(true);
  });

  const second = {
    to: newestSchema + 1,
    up: (database: Database.Database) => void database.exec('ALTER TABLE sessions ADD COLUMN "added" TEXT'),
  };

  test('an older one is copied before it is brought forward', async () => {
    const { migrations } = await import('../../electron/daemon/events/sqlite/migrations.ts');
    const folder = await storeFolder();
    const first = await openIn(folder);
    const session = await newSession(first, { name: 'kept' });
    await say(first, session);
    await first.close();
    const store = await openIn(folder, { migrations: [...migrations, second] });
    expect(await log(store, session)).toEqual(['message.received']);
    expect((await store.health()).schema).toBe(newestSchema + 1);
    const copy = filesIn(join(folder.home));
    copyFileSync(`${folder.storeDb}.v${newestSchema}.bak`, join(folder.home, 'copy.db'));
    const old = await openIn({ ...copy, storeDb: join(folder.home, 'copy.db') });
    expect(await old.session('kept')).toMatchObject({ id: session });
  });

  test('a migration that fails changes nothing', async () => {
    const { migrations } = await import('../../electron/daemon/events/sqlite/migrations.ts');
    const folder = await storeFolder();
    const first = await openIn(folder);
    const session = await newSession(first);
    await first.close();
    const broken = {
      to: newestSchema + 2,
      up: () => {
        throw new Error('broken step');
      },
    };
    await expect(openIn(folder, { migrations: [...migrations, second, broken] })).rejects.toThrow(
      'broken step',
    );
    expect(existsSync(`${folder.storeDb}.v${newestSchema}.bak`)).toBe(true);
    const store = await openIn(folder, { migrations: [...migrations, second] });
    expect(await store.session(session)).not.toBeNull();
  });
});

describe('the write-ahead log', () => {
  test('stays short in a long run of commits', async () => {
    const folder = await storeFolder();
    const store = await openIn(folder);
    const session = await newSession(store);
    for (let n = 0; n < 300; n += 1)
      await Promise.all(Array.from({ length: 20 }, () => say(store, session, 'w'.repeat(1000))));
    expect((await store.health()).walBytes).toBeLessThan(20 * 1024 * 1024);
  });

  test('a reader that holds an old state is told to end, and in the end stops writing, never the cap', async () => {
    const folder = await storeFolder();
    const caps = { soft: 2 * 1024 * 1024, hard: 4 * 1024 * 1024 };
    const store = await openIn(folder, { caps });
    let pressure = 0;
    store.onWalPressure(() => void (pressure += 1));
    const session = await newSession(store);
    const reader = new Database(folder.storeDb, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM events').get();
    const { code, stored } = await fill(store, session);
    const wal = statSync(`${folder.storeDb}-wal`).size;
    expect([code, pressure > 0, wal < caps.hard + 300_000]).toEqual(['busy', true, true]);
    expect(await codeOf(store.nextStep(session, terms))).toBe('busy');
    reader.exec('COMMIT');
    reader.close();
    await say(store, session, 'on it goes');
    expect(await eventCount(store, session)).toBe(stored + 2);
    expect((await store.health()).walBytes).toBeLessThan(1024 * 1024);
  });
});

test('a memory store that crashed answers nothing any more, and the next one has what was committed', async () => {
  const disk = createMemoryDisk();
  const clock = createTestClock();
  const first = createMemoryStore({ disk, clock, ids: createTestIds() });
  const session = await newSession(first);
  const answered: string[] = [];
  void say(first, session).then(() => answered.push('verb'));
  first.crash();
  void say(first, session).then(() => answered.push('later verb'));
  void first.session(session).then(() => answered.push('read'));
  const next = createMemoryStore({ disk, clock, ids: createTestIds(1000) });
  await say(next, session, 'of the next');
  expect([answered, await log(next, session)]).toEqual([[], ['message.received']]);
});
