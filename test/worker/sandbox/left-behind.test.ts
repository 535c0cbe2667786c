import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import type { Mount } from '../../../electron/worker/sandbox/mounts.ts';
import { insidePlaces } from '../../../electron/worker/sandbox/places.ts';
import { protectedEntries, restoreWatched } from '../../../electron/worker/sandbox/protected-entries.ts';
import { type SandboxBench, sandboxBench, skipReason } from './support.ts';

let bench: SandboxBench;
beforeEach(() => {
  bench = sandboxBench();
});
afterEach(() => bench.remove());

const write = (path: string, text = 'as it was'): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

describe.skipIf(skipReason !== null)('what one command leaves behind opens nothing to the next', () => {
  const outside = (): string => join(bench.person, 'outside');

  test('links in the places of its own folders', async () => {
    mkdirSync(outside());
    await bench.run(
      `cd ${bench.scratch}; rm -rf tmp .sandbox; mv .sandbox away; ln -s ${outside()} tmp; ln -s ${outside()} .sandbox; rm -rf /tmp/*; ln -s ${outside()} /tmp/x; cd ..; mv s1 s2; ln -s ${outside()} s1`,
    );
    const { end } = await bench.run(
      `echo x > /tmp/a; echo x > /tmp/x/b; echo x > ${bench.scratch}/c; echo x > ${bench.scratch}/tmp/d`,
    );
    expect([readdirSync(outside()), end.exit.code]).toEqual([[], 1]);
  });

  test('links in the places of what settings open and hide', async () => {
    mkdirSync(join(bench.dir, 'sub'));
    write(join(bench.person, '.aws/key'), 'secret');
    const config = {
      write: ['sub', 'later', bench.person],
      denyRead: ['~/.aws', join(bench.dir, 'sub/hidden')],
    };
    write(join(bench.dir, 'sub/hidden/key'), 'secret');
    mkdirSync(outside());
    await bench.run(
      `mv sub s; ln -s ${outside()} sub; ln -s /etc later; mv ~/.aws ~/a; mv ../work ../w; mv ../.kairos ../k`,
      { config },
    );
    const seen = await bench.out('cat */key */*/key ~/*/key ~/.aws/key; touch later/kairos-made', { config });
    expect([
      seen.includes('secret'),
      existsSync('/etc/kairos-made'),
      readdirSync(bench.person).toSorted(),
    ]).toEqual([false, false, ['.aws', '.kairos', 'outside', 'work']]);
  });

  test('a home that is the session directory: no folder with secrets can be moved out of its name', async () => {
    write(join(bench.dir, '.config/gh/hosts'), 'secret');
    const options = { environment: { HOME: bench.dir } };
    await bench.run('mv .config c; mkdir -p .config/gh', options);
    expect(await bench.out('cat .config/gh/* c/gh/* 2>&1 | grep -c secret', options)).toBe('0');
  });
});

describe.skipIf(skipReason !== null)('what runs at the same time', () => {
  test('places below what it writes to are opened inside only, where a link leads nowhere', async () => {
    for (const name of ['.git/hooks/x', 'a/.git/config', '.config/git/config', 'sub/deep/key'])
      write(join(bench.dir, name));
    const config = { write: ['sub', 'sub/deep'], denyRead: ['~/.aws'] };
    const own = join(bench.scratch, '.sandbox');
    mkdirSync(own);
    const { mounts } = await insidePlaces({
      grounds: bench,
      config,
      own,
      personHome: bench.person,
      linked: null,
    });
    const kinds = (list: readonly Mount[]) =>
      list.map(({ kind, path }) => `${kind} ${relative(bench.person, path)}`);
    expect([kinds(mounts.outer), kinds(mounts.inner)]).toEqual([
      ['hide .kairos', 'write .kairos/scratch/s1', 'hide .kairos/scratch/s1/.sandbox', 'write work'],
      [
        'write work/.config',
        'read work/.config/git',
        'write work/.git',
        'read work/.git/hooks',
        'write work/a',
        'write work/a/.git',
        'read work/a/.git/config',
      ],
    ]);
  });

  test('the pipe of a command is never where a running one could reach it', async () => {
    const stop = new AbortController();
    const spy = bench.run(
      `while :; do for p in ${bench.scratch}/.pipe-*; do [ -e "$p" ] && echo seen; done; done`,
      {
        signal: stop.signal,
      },
    );
    for (let index = 0; index < 10; index += 1)
      await bench.run('true', index % 2 === 0 ? {} : { outside: true });
    stop.abort();
    expect((await spy).output).toBe('');
  });

  test('a folder that became a link is not followed when protected places are made good', async () => {
    write(join(bench.dir, 'a/.git/HEAD'));
    const entries = await protectedEntries(bench.dir, null);
    write(join(bench.person, 'kube/config'), 'precious');
    renameSync(join(bench.dir, 'a/.git'), join(bench.dir, 'a/moved'));
    symlinkSync(join(bench.person, 'kube'), join(bench.dir, 'a/.git'));
    await restoreWatched(entries, createSystemIds(systemClock)).catch(() => undefined);
    expect(readdirSync(join(bench.person, 'kube'))).toEqual(['config']);
  });
});
