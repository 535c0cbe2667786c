import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { isLiving, killNow } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { fileHas, send, settled, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeEach(async () => {
  kairos = await startKairos();
});
afterEach(() => kairos.dispose());

/** Three commands that do not want to end: one busy, one deaf to SIGTERM, one with children of its own. */
async function startStubbornCommands(): Promise<void> {
  const commands = [
    'echo up >> up.txt; while :; do :; done',
    'trap "" TERM INT HUP; echo up >> up.txt; while :; do sleep 1; done',
    'sh -c "sleep 600 & sleep 600" & echo up >> up.txt; wait',
  ];
  for (const [index, command] of commands.entries()) {
    await send(kairos, `run ${command}`, '--session', `stubborn-${index}`, '--mode', 'bypassPermissions');
  }
  await waitFor(() => workFile(kairos, 'up.txt') === 'up\nup\nup\n', { what: 'three running commands' });
}

describe('No process is left 5 s after', () => {
  it('kill -9 of the supervisor, with commands in a busy loop and deaf to SIGTERM', async () => {
    await startStubbornCommands();
    for (const { pid } of kairos.processes('supervisor')) killNow(pid);
    await kairos.nothingLeft(5_000);
  });

  it('an orderly stop with the same commands, whose outcome is then unknown or interrupted', async () => {
    await startStubbornCommands();
    await kairos.stopDaemon();
    await kairos.nothingLeft(5_000);
  });

  it('kill -9 of the daemon: its workers and their commands are gone, a new daemon is up', async () => {
    await startStubbornCommands();
    const before = kairos.processes('worker', 'tool', 'daemon');
    for (const { pid } of kairos.processes('daemon')) killNow(pid);
    await waitFor(() => before.every(({ pid }) => !isLiving(pid)), {
      what: 'the end of everything below it',
      withinMs: 5_000,
    });
    const { daemon } = await waitFor(
      async () => {
        const status = await kairos.cli(['daemon', 'status', '--json']);
        return status.code === 0
          ? { daemon: status.json as { pid: number; supervisorPid: number } }
          : undefined;
      },
      { what: 'a new daemon' },
    );
    expect(before.map(({ pid }) => pid)).not.toContain(daemon.pid);
  });

  it('kill -9 of a worker: its command is gone, its session goes on', async () => {
    const { message } = await send(
      kairos,
      'run echo up >> up.txt; trap "" TERM; sleep 600\nrun echo next >> next.txt',
      '--session',
      'one',
      '--mode',
      'bypassPermissions',
    );
    await fileHas(kairos, 'up.txt', 'up');
    const before = kairos.processes('worker', 'tool');
    for (const { pid } of kairos.processes('worker')) killNow(pid);
    await waitFor(() => before.every(({ pid }) => !isLiving(pid)), {
      what: 'the end of its command',
      withinMs: 5_000,
    });
    await settled(kairos, message);
    expect([workFile(kairos, 'up.txt'), workFile(kairos, 'next.txt')]).toEqual(['up\n', 'next\n']);
  });
});

describe('A process that left its group and its parent', () => {
  it('is found at the next start, ended and reported in the log', async () => {
    const command =
      'setsid sh -c \'sh -c "echo \\$\\$ > escaped.pid; while :; do sleep 1; done" &\' > /dev/null 2>&1';
    await send(kairos, `run ${command}`, '--session', 'escape', '--mode', 'bypassPermissions');
    const pid = Number(
      await waitFor(() => workFile(kairos, 'escaped.pid')?.trim() || undefined, { what: 'the escapee' }),
    );
    for (const { pid: supervisor } of kairos.processes('supervisor')) killNow(supervisor);
    await waitFor(() => kairos.processes('supervisor', 'daemon', 'worker').length === 0, {
      what: 'the end of Kairos',
    });
    const survived = isLiving(pid);
    await kairos.startDaemon();
    const logs = await kairos.cli(['logs', '--json']);
    expect({ survived, living: isLiving(pid), reported: logs.stdout.includes(`"pid":${pid}`) }).toEqual({
      survived: true,
      living: false,
      reported: true,
    });
  });
});

describe('A tied supervisor', () => {
  it('goes with its owner, also when that is killed', async () => {
    await kairos.stopDaemon();
    const owner = kairos.start(['daemon', 'run']);
    await waitFor(async () => (await kairos.cli(['daemon', 'status'])).code === 0, {
      what: 'a daemon in the foreground',
    });
    owner.process.kill('SIGKILL');
    await owner.ended;
    await kairos.nothingLeft(5_000);
  });
});
