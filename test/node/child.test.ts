import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type ChildOptions, type OwnedChild, startChild } from '../../electron/node/child.ts';
import { systemClock } from '../../electron/node/clock.ts';
import { systemProcesses } from '../../electron/node/process-table.ts';
import { allGoneWithin, below, firstLine, goneWithin, killAfterTest } from './support/processes.ts';

async function startHere(options: Partial<ChildOptions> & { script?: string }): Promise<OwnedChild> {
  const child = await startChild(
    {
      command: '/bin/sh',
      args: ['-c', options.script ?? 'sleep 1000'],
      cwd: '/',
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'ignore'],
      ...options,
    },
    systemClock,
  );
  killAfterTest(child.pid);
  return child;
}

/** A shell runs a trap at once only while it waits. */
const polite = 'trap "exit 7" TERM; echo up; sleep 1000 & wait';
const stubborn = 'trap "" TERM; echo up; while :; do sleep 1000; done';

describe('stop', () => {
  test('a child that obeys SIGTERM ends with its own code', async () => {
    const child = await startHere({ script: polite });
    await firstLine(child.process);
    expect(await child.stop({ graceMs: 4_000 })).toEqual({ code: 7, signal: null });
  });

  test('a child that ignores SIGTERM is killed after the grace', async () => {
    const child = await startHere({ script: stubborn });
    await firstLine(child.process);
    expect(await child.stop({ graceMs: 50 })).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('closing stdin comes first, SIGTERM next, when asked so', async () => {
    const child = await startHere({ script: 'read -r line; exit 3' });
    expect(await child.stop({ graceMs: 4_000, by: ['stdin', 'terminate'] })).toEqual({
      code: 3,
      signal: null,
    });
    const deaf = await startHere({ script: polite });
    await firstLine(deaf.process);
    // The grace holds for each request: too short a one would kill a child that was about to obey.
    expect(await deaf.stop({ graceMs: 1_500, by: ['stdin', 'terminate'] })).toEqual({
      code: 7,
      signal: null,
    });
  });

  test('closing the message channel ends a child that watches it', async () => {
    const script = 'process.on("disconnect", () => process.exit(4)); process.send("up")';
    const child = await startHere({
      command: process.execPath,
      args: ['-e', script],
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    await once(child.process, 'message');
    expect(await child.stop({ graceMs: 4_000, by: ['ipc'] })).toEqual({ code: 4, signal: null });
  });

  test('stopping a child that has ended answers how it ended', async () => {
    const child = await startHere({ script: 'exit 5' });
    await child.exited;
    expect(await child.stop({ graceMs: 0 })).toEqual({ code: 5, signal: null });
  });
});

test('when a child ends, what it left in its group and its leash end too', async () => {
  const child = await startHere({ script: 'sleep 1000 & sleep 1000 & echo up; read -r line' });
  await firstLine(child.process);
  const left = [child.pid, ...(await below(child.pid))];
  const mine = (await below(process.pid)).filter((pid) => !left.includes(pid));
  child.process.stdin?.end();
  await child.exited;
  expect(left.length).toBe(3);
  expect(await allGoneWithin([...left, ...mine], 1_000)).toBe(true);
});

describe('a child', () => {
  test('leads its own group', async () => {
    const child = await startHere({});
    expect((await systemProcesses.find(child.pid))?.pgid).toBe(child.pid);
    child.kill();
    expect(await goneWithin(child.pid, 1_000)).toBe(true);
  });

  test('has exactly the descriptors, environment, directory and arguments that it was given', async () => {
    const script =
      'read -r line <&3; echo "$0 $1 $PWD $KEY $line" >&4; ls /proc/self/fd | tr "\\n" " "; echo';
    const child = await startHere({
      args: ['-c', script, 'a b', '"quoted" $HOME'],
      cwd: '/usr',
      env: { PATH: process.env.PATH, KEY: 'value' },
      stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe'],
    });
    (child.process.stdio[3] as Writable).end('from us\n');
    const [answer] = await once(child.process.stdio[4] as Readable, 'data');
    expect(String(answer)).toBe('a b "quoted" $HOME /usr value from us\n');
    // `ls` itself opens one more to read the folder (5, so the gate is closed); those from 10 on came from around the test.
    const descriptors = (await firstLine(child.process)).trim().split(' ').map(Number);
    expect(descriptors.filter((descriptor) => descriptor < 10)).toEqual([0, 1, 2, 3, 4, 5]);
    await child.exited;
  });

  test('exchanges messages with its owner', async () => {
    const script = 'process.once("message", (m) => process.send({ got: m }, () => process.disconnect()))';
    const child = await startHere({
      command: process.execPath,
      args: ['-e', script],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.process.send({ hello: 1 });
    const [answer] = await once(child.process, 'message');
    expect(answer).toEqual({ got: { hello: 1 } });
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a child that cannot start', () => {
  test.each([
    ['a program that is not on the PATH', { command: 'no-such-program' }, 'program-missing'],
    ['a path that does not exist', { command: './no/such' }, 'program-missing'],
    ['a file that is not executable', { command: '/etc/passwd' }, 'program-not-executable'],
    ['a missing directory', { cwd: '/no/such/folder' }, 'directory-missing'],
    [
      'too many descriptors',
      { stdio: Array.from({ length: 10 }, () => 'ignore' as const) },
      'too-many-stdio',
    ],
  ])('%s gives a typed error', async (_what, options, code) => {
    await expect(startHere(options)).rejects.toMatchObject({ name: 'ChildError', code });
  });
});
