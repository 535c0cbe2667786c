import { execFileSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homeId } from '../../electron/node/home-id.ts';
import { homePath, openHome } from '../../electron/node/home.ts';
import { temporaryFolder } from './support/processes.ts';

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the home', () => {
  test('is KAIROS_HOME made absolute, else ~/.kairos', () => {
    expect(homePath({ KAIROS_HOME: '/a/../b' })).toBe('/b');
    expect(homePath({ KAIROS_HOME: '' })).toBe(join(homedir(), '.kairos'));
    expect(homePath({})).toBe(join(homedir(), '.kairos'));
  });

  test('that is a relative path is refused, with the path that it would be', () => {
    expect(() => openHome({ KAIROS_HOME: 'state' })).toThrow(
      expect.objectContaining({
        code: 'home-path-relative',
        message: 'KAIROS_HOME is "state", which would be another place in every folder.',
        next: `Set it to an absolute path, such as ${join(process.cwd(), 'state')}`,
      }),
    );
    expect(existsSync('state')).toBe(false);
  });

  test('is created for its owner only, with its folders', () => {
    const path = join(temporaryFolder(), 'deep', 'home');
    const { home, logsDir, blobsDir, scratchDir, secretsDir } = openHome({ KAIROS_HOME: path });
    expect(home).toBe(path);
    expect([home, logsDir, blobsDir, scratchDir, secretsDir].map(mode)).toEqual([
      '700',
      '700',
      '700',
      '700',
      '700',
    ]);
  });

  test('that is empty or ours is closed to others; any other open directory is refused', () => {
    const ours = temporaryFolder();
    chmodSync(ours, 0o755);
    openHome({ KAIROS_HOME: ours });
    expect(mode(ours)).toBe('700');
    const shared = temporaryFolder();
    writeFileSync(join(shared, 'thesis.txt'), '');
    chmodSync(shared, 0o755);
    expect(() => openHome({ KAIROS_HOME: shared })).toThrow(
      expect.objectContaining({ code: 'home-open-to-others' }),
    );
    expect(mode(shared)).toBe('755');
    expect(existsSync(join(shared, 'logs'))).toBe(false);
  });

  test.each([
    ['a file', (folder: string) => join(folder, 'file'), 'home-not-a-directory'],
    ['below a file', (folder: string) => join(folder, 'file', 'home'), 'home-not-a-directory'],
    ['too long', (folder: string) => join(folder, 'x'.repeat(2_000)), 'home-path-too-long'],
    [
      'too long for SQLite',
      (folder: string) => join(folder, 'x'.repeat(200), 'y'.repeat(250)),
      'home-path-too-long',
    ],
    ['a name that is too long', (folder: string) => join(folder, 'x'.repeat(300)), 'home-path-too-long'],
    ['where nothing can be made', () => '/proc/kairos', 'home-cannot-be-created'],
  ])('that is %s is refused with what to do', (_what, path, code) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => openHome({ KAIROS_HOME: path(folder) })).toThrow(
      expect.objectContaining({ name: 'HomeError', code, next: expect.stringMatching(/\.$/) }),
    );
  });

  test.each([
    ['daemon.json', 'a named pipe'],
    ['supervisor.json', 'a named pipe'],
    ['lock.db', 'a named pipe'],
    ['store.db', 'a named pipe'],
    ['store.db-wal', 'a directory'],
    ['search.db', 'a directory'],
  ])('whose %s is %s is refused with what to do; a link to a file is fine', (name, kind) => {
    const folder = join(temporaryFolder(), 'home');
    openHome({ KAIROS_HOME: folder });
    if (kind === 'a directory') mkdirSync(join(folder, name));
    else execFileSync('mkfifo', [join(folder, name)]);
    expect(() => openHome({ KAIROS_HOME: folder })).toThrow(
      expect.objectContaining({
        code: 'home-entry-misplaced',
        message: `"${join(folder, name)}" is ${kind}, not a file.`,
        next: 'Move it away, then start again.',
      }),
    );
    rmSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'other'), '');
    symlinkSync(join(folder, 'other'), join(folder, name));
    expect(openHome({ KAIROS_HOME: folder }).home).toBe(folder);
  });

  test.each(['logs', 'blobs', 'scratch', 'parcels', 'secrets'])(
    'whose folder %s is a file is refused by its name',
    (name) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, name), '');
      writeFileSync(join(folder, 'lock.db'), '');
      expect(() => openHome({ KAIROS_HOME: folder })).toThrow(
        expect.objectContaining({
          code: 'home-entry-misplaced',
          message: `"${join(folder, name)}" is not a folder.`,
          next: 'Move it away, then start again.',
        }),
      );
    },
  );

  test('of the longest path holds a database that is being restored', () => {
    const folder = temporaryFolder();
    const first = join(folder, 'x'.repeat(200));
    const home = join(first, 'y'.repeat(460 - first.length - 1));
    openHome({ KAIROS_HOME: home });
    const restored = join(home, 'restore-20261130080000.tmp');
    mkdirSync(restored);
    const database = new Database(join(restored, 'store.db'));
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE one (id)');
    database.close();
  });

  test('behind a link counts as where it leads', () => {
    const folder = temporaryFolder();
    const real = join(folder, 'x'.repeat(240), 'y'.repeat(240));
    mkdirSync(real, { recursive: true });
    symlinkSync(real, join(folder, 'link'));
    expect(() => openHome({ KAIROS_HOME: join(folder, 'link') })).toThrow(
      expect.objectContaining({ code: 'home-path-too-long' }),
    );
  });

  test('has the same id through every path that leads to it', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    expect(homeId(join(folder, 'link'))).toBe(homeId(join(folder, 'real')));
    expect(homeId(folder)).not.toBe(homeId(join(folder, 'real')));
    expect(homeId(folder)).toMatch(/^[0-9a-f]{12}$/);
  });
});
