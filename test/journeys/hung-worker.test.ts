import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { isLiving } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, fileHas, send, settle, settled, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeEach(async () => {
  kairos = await startKairos({ settings: { sessions: { unresponsiveAfterSeconds: 6 } } });
});
afterEach(() => kairos.dispose());

/** A command that runs in a session of its own; resolves with the pid of the session's worker. */
async function intoCommand(session: string, text: string): Promise<{ message: string; worker: number }> {
  const { message } = await send(kairos, text, '--session', session, '--mode', 'bypassPermissions');
  await fileHas(kairos, `${session}.txt`, 'begun');
  const { pid } = (await kairos.sessions()).find(({ name }) => name === session) ?? {};
  if (pid === undefined || pid === null) throw new Error(`${session} has no worker.`);
  return { message, worker: pid };
}

describe('A worker that was stopped in the middle of a call', () => {
  it('is killed with its command, its session goes on and the outcome is told as unknown', async () => {
    const { message, worker } = await intoCommand(
      'stopped',
      'run echo begun >> stopped.txt; sleep 600\nrun echo after > after.txt',
    );
    const below = kairos.processes('tool').map(({ pid }) => pid);
    process.kill(worker, 'SIGSTOP');
    await waitFor(() => !isLiving(worker), { what: 'the end of the stopped worker', withinMs: 15_000 });
    const { state } = await settled(kairos, message);
    const calls = bodies(await kairos.exported('stopped'), 'call.ended').map(({ tool, result }) => [
      tool,
      result.outcome,
    ]);
    expect({
      state,
      calls: calls.slice(0, 2),
      begun: workFile(kairos, 'stopped.txt'),
      after: workFile(kairos, 'after.txt'),
      left: below.filter(isLiving),
    }).toEqual({
      state: 'settled',
      calls: [
        ['Bash', 'unknown'],
        ['Bash', 'ok'],
      ],
      begun: 'begun\n',
      after: 'after\n',
      left: [],
    });
  });

  it('is left alone while it answers, however long its command takes', async () => {
    const { message, worker } = await intoCommand(
      'slow',
      'run echo begun >> slow.txt; sleep 5; echo ended >> slow.txt',
    );
    await settled(kairos, message);
    expect([workFile(kairos, 'slow.txt'), isLiving(worker)]).toEqual(['begun\nended\n', true]);
  });

  it('and goes on before its time is up loses nothing', async () => {
    const { message, worker } = await intoCommand(
      'paused',
      'run echo begun >> paused.txt; sleep 2; echo ended >> paused.txt',
    );
    process.kill(worker, 'SIGSTOP');
    await settle(kairos, 'run true', '--session', 'meanwhile');
    process.kill(worker, 'SIGCONT');
    const { state } = await settled(kairos, message);
    expect([state, workFile(kairos, 'paused.txt'), isLiving(worker)]).toEqual([
      'settled',
      'begun\nended\n',
      true,
    ]);
  });
});
