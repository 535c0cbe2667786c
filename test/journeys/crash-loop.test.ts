import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Kairos } from '../support/real/kairos.ts';
import { bodies, type Sent, send, settle, settled, workFile } from './support/conversation.ts';

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

/** What people see of a session that stopped. */
async function look(kairos: Kairos, name: string) {
  const row = (await kairos.sessions()).find((session) => session.name === name);
  const log = await kairos.exported(name);
  return {
    state: row?.state,
    pid: row?.pid,
    parked: bodies(log, 'session.parked').map(({ code }) => code),
    notices: bodies(log, 'message.sent').map(({ text, source }) => ({ text, source })),
    workers: kairos.processes('worker').map(({ pid }) => pid),
  };
}

/** Takes it up again, now that nothing kills it, and says how its first message ended. */
async function finish(kairos: Kairos, { message }: Sent) {
  await kairos.json(['retry', 'unlucky']);
  const { state } = await settled(kairos, message);
  const log = await kairos.exported('unlucky');
  return {
    state,
    firstSteps: bodies(log, 'step.began').filter(({ n }) => n === 1).length,
    settled: bodies(log, 'message.settled').flatMap((body) => (body.message === message ? [body.by] : [])),
    ledger: workFile(kairos, 'ledger.txt'),
  };
}

const notice = 'This session stopped: its worker ended unexpectedly three times at the same place.';

it('A session whose worker dies three times at the same step is parked and says so, the others go on, and a retry takes it up', {
  timeout: 120_000,
}, async () => {
  const { kairos, file } = await startFragile();
  try {
    // Its worker has made its first request when the deaths begin.
    await settle(kairos, 'help', '--session', 'other');
    const otherPid = await pidOf(kairos, 'other');
    writeFileSync(file, '');
    const options = ['--session', 'unlucky', '--mode', 'bypassPermissions'];
    const unlucky = await send(kairos, 'run echo once >> ledger.txt', ...options);
    const during = await settle(kairos, 'run echo meanwhile', '--session', 'other');
    const told = await kairos.cli(['send', 'help', '--session', 'unlucky', '--wait', '--timeout', '60']);
    const message = await kairos.bridge.get<Sent>(`/messages/${unlucky.message}`);
    const after = await settle(kairos, 'run echo afterwards', '--session', 'other');
    const stopped = await look(kairos, 'unlucky');
    const deaths = readFileSync(file, 'utf8').trim().split('\n').length;
    rmSync(file);
    const finished = await finish(kairos, unlucky);
    expect({
      deaths,
      others: [during.state, after.state],
      message: message.state,
      told: { code: told.code, stderr: told.stderr },
      stopped,
      finished,
    }).toEqual({
      deaths: 3,
      others: ['settled', 'settled'],
      message: 'parked',
      told: { code: 1, stderr: expect.stringContaining('three times at the same place') },
      stopped: {
        state: 'parked',
        pid: null,
        parked: ['crash_loop'],
        notices: [{ text: notice, source: 'notice' }],
        workers: [otherPid],
      },
      finished: { state: 'settled', firstSteps: 1, settled: ['reply'], ledger: 'once\n' },
    });
  } finally {
    await kairos.dispose();
  }
});
