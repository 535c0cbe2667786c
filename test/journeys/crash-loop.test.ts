import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Kairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, type Sent, send, settle, settled } from './support/conversation.ts';

/** A build whose workers die at their first model request, again and again, while `file` is there. */
async function startFragile(): Promise<{ kairos: Kairos; file: string }> {
  const kairos = new Kairos({
    dist: 'dist-crash',
    env: { KAIROS_CRASH: 'worker:model.request:before:1:always' },
  });
  Object.assign(kairos.env, { KAIROS_CRASH_DIR: kairos.base });
  await kairos.startDaemon();
  return { kairos, file: join(kairos.base, 'crash-always') };
}

async function pidOf(kairos: Kairos, name: string): Promise<number | null | undefined> {
  return (await kairos.sessions()).find((session) => session.name === name)?.pid;
}

it('A session whose worker dies three times at the same step is parked and says so, the others go on, and a retry takes it up', {
  timeout: 120_000,
}, async () => {
  const { kairos, file } = await startFragile();
  try {
    // Its worker has made its first request when the deaths begin.
    await settle(kairos, 'help', '--session', 'other');
    const otherPid = await pidOf(kairos, 'other');
    writeFileSync(file, '');
    const unlucky = await send(
      kairos,
      'run echo once >> ledger.txt',
      '--session',
      'unlucky',
      '--mode',
      'bypassPermissions',
    );
    const during = await settle(kairos, 'run echo meanwhile', '--session', 'other');
    const told = await kairos.cli(['send', 'help', '--session', 'unlucky', '--wait', '--timeout', '60']);
    const message = await kairos.bridge.get<Sent>(`/messages/${unlucky.message}`);
    const deaths = readFileSync(file, 'utf8').trim().split('\n').length;
    const after = await settle(kairos, 'run echo afterwards', '--session', 'other');
    const row = (await kairos.sessions()).find(({ name }) => name === 'unlucky');
    const parkedLog = await kairos.exported('unlucky');
    const workers = kairos.processes('worker').map(({ pid }) => pid);

    rmSync(file);
    await kairos.json(['retry', 'unlucky']);
    const finished = await settled(kairos, unlucky.message);
    const log = await kairos.exported('unlucky');
    const notice = 'This session stopped: its worker ended unexpectedly three times at the same place.';
    expect({
      deaths,
      others: [during.state, after.state],
      otherPid: await pidOf(kairos, 'other'),
      workers,
      state: row?.state,
      pid: row?.pid,
      message: message.state,
      told: { code: told.code, stderr: told.stderr },
      notices: bodies(parkedLog, 'message.sent').map(({ text, source }) => ({ text, source })),
      parked: bodies(parkedLog, 'session.parked').map(({ code }) => code),
      steps: bodies(log, 'step.began').filter(({ n }) => n === 1).length,
      finished: finished.state,
      settled: bodies(log, 'message.settled').map(({ message: id, by }) => [id === unlucky.message, by]),
    }).toEqual({
      deaths: 3,
      others: ['settled', 'settled'],
      otherPid,
      workers: [otherPid],
      state: 'parked',
      pid: null,
      message: 'parked',
      told: { code: 1, stderr: expect.stringContaining('three times at the same place') },
      notices: [{ text: notice, source: 'notice' }],
      parked: ['crash_loop'],
      steps: 1,
      finished: 'settled',
      settled: expect.arrayContaining([[true, 'reply']]),
    });
    await waitFor(() => readFileSync(join(kairos.work, 'ledger.txt'), 'utf8') === 'once\n', {
      what: 'the command to have run once',
    });
  } finally {
    await kairos.dispose();
  }
});
