import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  allGoneWithin,
  below,
  eventually,
  firstLine,
  fixture,
  goneWithin,
  start,
  temporaryFolder,
} from './support/processes.ts';

const owner = fixture(import.meta.url, 'owner.ts');
const node = process.execPath;

type Wanted = readonly [command: string, args: readonly string[]];

async function startOwner(...wanted: readonly Wanted[]) {
  const child = start(node, [owner, JSON.stringify(wanted)]);
  const pids = JSON.parse(await firstLine(child)) as number[];
  return { child, pids, everything: await below(child.pid) };
}

const shell = (script: string): Wanted => ['/bin/sh', ['-c', script]];

describe('when the owner is killed with -9', () => {
  test.each<[string, Wanted]>([
    ['an ordinary child', shell('echo up; exec sleep 1000')],
    ['a child in a busy loop', [node, ['-e', 'process.stdout.write("up\\n"); for (;;);']]],
    ['a child that ignores signals', shell('trap "" TERM HUP INT; echo up; while :; do sleep 1000; done')],
    ['a child with grandchildren', shell('sleep 1000 & sh -c "sleep 1000; :" & echo up; wait')],
  ])('%s is dead within 1 s, with its leash and everything of its group', async (_what, wanted) => {
    const { child, everything } = await startOwner(wanted);
    child.kill('SIGKILL');
    expect(everything.length).toBeGreaterThanOrEqual(2);
    expect(await allGoneWithin(everything, 1_000)).toBe(true);
  });

  test('two children both die: neither holds the pipe of the other one’s leash', async () => {
    const one = shell('echo up; exec sleep 1000');
    const { child, everything, pids } = await startOwner(one, one);
    child.kill('SIGKILL');
    expect(pids.length).toBe(2);
    expect(await allGoneWithin(everything, 1_000)).toBe(true);
  });

  test.each([
    ['before the leash exists', 1],
    ['before the gate is opened', 2],
  ])('%s, the program never runs and nothing is left', async (_when, spawns) => {
    const folder = temporaryFolder();
    const [mark, record] = [join(folder, 'ran'), join(folder, 'pids')];
    const env = { ...process.env, OWNER_DIES_AFTER_SPAWN: String(spawns), OWNER_RECORD: record };
    const child = start(node, [owner, JSON.stringify([shell(`touch ${mark}; sleep 1000`)])], { env });
    expect(await goneWithin(child.pid, 4_000)).toBe(true);
    const made = JSON.parse(readFileSync(record, 'utf8')) as number[];
    expect(made.length).toBe(spawns);
    expect(await allGoneWithin(made, 1_000)).toBe(true);
    expect(existsSync(mark)).toBe(false);
  });
});

test('when somebody ends the leash, it is replaced and still works', async () => {
  const { child, pids, everything } = await startOwner(shell('echo up; exec sleep 1000'));
  const [first] = everything.filter((pid) => !pids.includes(pid));
  process.kill(first as number, 'SIGKILL');
  expect(await goneWithin(first as number, 1_000)).toBe(true);
  const after = await eventually(async () => {
    const found = await below(child.pid);
    return found.length === 2 ? found : undefined;
  });
  child.kill('SIGKILL');
  expect(await allGoneWithin(after, 1_000)).toBe(true);
});
