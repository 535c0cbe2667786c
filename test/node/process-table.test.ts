import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../electron/node/clock.ts';
import { findInPsCommand, parsePsRow } from '../../electron/node/process-darwin.ts';
import { ancestorsOf, descendantsOf } from '../../electron/node/process-info.ts';
import { findInEnvironment, parseStat } from '../../electron/node/process-linux.ts';
import { isAlive, ownStartTime, systemProcesses } from '../../electron/node/process-table.ts';
import { waitForExit } from '../../electron/node/wait-for-exit.ts';
import { firstLine, start } from './support/processes.ts';

describe('the process table', () => {
  test('knows this process and those above it', async () => {
    const list = await systemProcesses.list();
    const own = list.find((info) => info.pid === process.pid);
    expect(own).toMatchObject({ ppid: process.ppid, zombie: false, startTime: await ownStartTime() });
    expect(ancestorsOf(process.pid, list)[0]?.pid).toBe(process.ppid);
    expect(descendantsOf(process.ppid, list).map((info) => info.pid)).toContain(process.pid);
  });

  test('reads a variable of another process, exactly by name', async () => {
    const child = start('/bin/sh', ['-c', 'echo up; sleep 1000; :'], {
      env: { ...process.env, XAB: '1', AB: 'two words' },
    });
    await firstLine(child);
    expect(await systemProcesses.variable(child.pid, 'AB')).toBe('two words');
    expect(await systemProcesses.variable(child.pid, 'B')).toBeUndefined();
  });

  test('takes a process with the same pid but another start time for dead', async () => {
    expect(await isAlive(process.pid)).toBe(true);
    expect(await isAlive(process.pid, await ownStartTime())).toBe(true);
    expect(await isAlive(process.pid, 'long ago')).toBe(false);
  });

  test('takes a zombie for dead', async () => {
    // The shell becomes `sleep`, which never collects its child.
    const parent = start('/bin/sh', ['-c', 'sh -c "echo \\$\\$" & exec sleep 1000']);
    const zombie = Number(await firstLine(parent));
    expect(await waitForExit({ pid: zombie }, 2_000, systemClock)).toBe(true);
    expect((await systemProcesses.find(zombie))?.zombie).toBe(true);
  });

  test('says after a deadline that a process still runs', async () => {
    const child = start('sleep', ['1000']);
    expect(await waitForExit({ pid: child.pid }, 30, systemClock)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await waitForExit({ pid: child.pid }, 0, systemClock)).toBe(true);
  });
});

describe('reading /proc', () => {
  test('a name may hold spaces and parentheses', () => {
    const rest = '7 9 9 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4711 1000 1';
    expect(parseStat(`12 (a) Z (b) S ${rest}`, 'boot')).toEqual({
      pid: 12,
      ppid: 7,
      pgid: 9,
      startTime: 'boot:4711',
      zombie: false,
      name: 'a) Z (b',
    });
    expect(parseStat('', 'boot')).toBeUndefined();
  });

  test('a killed process counts as ended only when its last thread did: until then it holds its locks', () => {
    const zombie = (threads: number): boolean | undefined =>
      parseStat(`12 (a) Z 7 9 9 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 ${threads} 0 4711 1000 1`, 'boot')?.zombie;
    expect([zombie(7), zombie(1)]).toEqual([false, true]);
  });

  test('a variable counts only at the border of an entry', () => {
    const block = Buffer.from('A=RUN=no\0XRUN=no\0RUN=yes\0RUN=later\0');
    expect(findInEnvironment(block, 'RUN')).toBe('yes');
    expect(findInEnvironment(block, 'RUN', 'la')).toBe('later');
    expect(findInEnvironment(block, 'UN')).toBeUndefined();
  });
});

describe('reading ps on macOS', () => {
  test('a row gives the process', () => {
    expect(parsePsRow('  12   7   9 Ss+  Sun Nov  8 09:01:02 2026     /usr/bin/my tool')).toEqual({
      pid: 12,
      ppid: 7,
      pgid: 9,
      startTime: 'Sun Nov 8 09:01:02 2026',
      zombie: false,
      name: 'my tool',
    });
  });

  test('a variable is looked for behind the command line only', () => {
    expect(findInPsCommand('node RUN=no HOME=/x RUN=yes', 'node RUN=no', 'RUN')).toBe('yes');
    expect(findInPsCommand('node RUN=no HOME=/x', 'node RUN=no', 'RUN')).toBeUndefined();
    expect(findInPsCommand('other RUN=no', 'node', 'RUN')).toBeUndefined();
  });
});
