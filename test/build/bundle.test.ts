import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withLock } from '../../build/bootstrap/lock.mjs';
import { publish, publishedId } from '../../build/bundle/publish.mjs';
import { stampOf } from '../../build/bundle/stamp.mjs';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kairos-bundle-'));
  mkdirSync(join(root, 'source'));
  writeFileSync(join(root, 'source/a.ts'), 'a');
});

afterEach(() => rmSync(root, { recursive: true }));

describe('the stamp', () => {
  const stamp = (extra: string[] = []) => stampOf(root, ['source', 'absent'], extra);

  test('stays while contents stay, and ignores Markdown', () => {
    const before = stamp();
    writeFileSync(join(root, 'source/a.ts'), 'a');
    writeFileSync(join(root, 'source/README.md'), 'text');
    expect(stamp()).toBe(before);
  });

  test('changes with a content, a name, a new file and the Node version', () => {
    const stamps = [stamp(), stamp(['v24'])];
    writeFileSync(join(root, 'source/a.ts'), 'b');
    stamps.push(stamp());
    writeFileSync(join(root, 'source/b.ts'), '');
    stamps.push(stamp());
    rmSync(join(root, 'source/b.ts'));
    writeFileSync(join(root, 'source/c.ts'), '');
    stamps.push(stamp());
    expect(new Set(stamps).size).toBe(stamps.length);
  });
});

describe('publishing a build', () => {
  function finish(id: string): string {
    const folder = join(root, `dist.${id}`);
    mkdirSync(folder);
    writeFileSync(join(folder, '.stamp'), `${id}\n`);
    return folder;
  }

  test('replaces the build before it, which stays on disk for the processes that run from it', () => {
    const link = join(root, 'dist');
    const ids = ['one', 'two'].map((id) => {
      publish(link, finish(id));
      return publishedId(link);
    });
    expect([ids, readFileSync(join(root, 'dist.one/.stamp'), 'utf8')]).toEqual([['one', 'two'], 'one\n']);
  });

  test('replaces a plain folder too, and keeps three builds', () => {
    const link = join(root, 'dist');
    mkdirSync(link);
    for (const id of ['one', 'two', 'three', 'four']) publish(link, finish(id));
    expect([publishedId(link), readdirSync(root).filter((name) => name.startsWith('dist.')).length]).toEqual([
      'four',
      3,
    ]);
  });
});

describe('the lock file', () => {
  test('lets one through at a time and is gone afterwards', async () => {
    const path = join(root, 'lock');
    const order: string[] = [];
    const enter = (name: string) =>
      withLock(path, async () => {
        order.push(`${name} in`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${name} out`);
      });
    await Promise.all([enter('a'), enter('b')]);
    expect([order, readdirSync(root)]).toEqual([['a in', 'a out', 'b in', 'b out'], ['source']]);
  });

  test('of a process that no longer exists is taken over', async () => {
    const path = join(root, 'lock');
    // Above the largest process id Linux hands out (2^22).
    writeFileSync(path, '99999999');
    expect(await withLock(path, async () => 'done')).toBe('done');
  });
});
