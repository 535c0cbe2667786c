import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isAlive } from '../../../electron/node/process-table.ts';
import { type ModelChoice, offlineChoice } from '../../../shared/domain/models.ts';
import { callsOf, replyOf, request, said } from '../support/scripted-port.ts';
import { WorkerProcess } from '../support/worker-process.ts';

// Longer than the longest wait for a frame, which says what was missing.
vi.setConfig({ testTimeout: 20_000 });

const open: WorkerProcess[] = [];
function start(args?: readonly string[]): WorkerProcess {
  const worker = new WorkerProcess(args);
  open.push(worker);
  return worker;
}
afterEach(async () => {
  for (const worker of open.splice(0)) await worker.remove();
});

const remote: ModelChoice = {
  ...offlineChoice,
  ref: 'openai/x',
  wire: 'openai',
  model: 'x',
  baseUrl: 'http://127.0.0.1:9',
  credential: 'openai',
};
const bash = (command: string, id = 'c1') => replyOf({ id, tool: 'Bash', input: { command } });

/** Brings the worker into a running Bash call that wrote its pid into `pid`. */
async function intoCall(worker: WorkerProcess, command: string, lease = {}): Promise<number> {
  await worker.frame('ready');
  worker.lease(lease);
  worker.answer(
    await worker.ask('nextStep'),
    callsOf(1, bash(`echo $$ > pid.tmp; mv pid.tmp pid; ${command}`)),
  );
  worker.answer(await worker.ask('beginCall'), { kind: 'granted' });
  const file = join(worker.dir, 'pid');
  await expect.poll(() => existsSync(file), { timeout: 10_000 }).toBe(true);
  return Number(readFileSync(file, 'utf8'));
}

describe('starting', () => {
  test.each([
    ['--daemon-worker=dream', 'Worker kind "dream" is not in this version; this version has "session".\n'],
    [
      '--daemon-worker=hippocampus',
      'Worker kind "hippocampus" is not in this version; this version has "session".\n',
    ],
    [
      '--daemon-worker=external-agent',
      'Worker kind "external-agent" is not in this version; this version has "session".\n',
    ],
    ['--daemon-worker=x', 'Worker kind "x" is unknown; this version has "session".\n'],
    ['--daemon-worker=session', 'A worker needs --parcels=<folder>; the daemon starts it.\n'],
    ['--help', 'A worker needs --daemon-worker=<kind>; the daemon starts it.\n'],
  ])('%s is refused with exit code 64 and a sentence', async (arg, sentence) => {
    const worker = start([arg]);
    expect([await worker.exited, worker.stderr]).toEqual([{ code: 64, signal: null }, sentence]);
  });

  test('it says that it is ready, and leaves in order when told to stop', async () => {
    const worker = start();
    expect(await worker.frame('ready')).toEqual({ type: 'ready', version: 1, pid: worker.process.pid });
    worker.send({ type: 'hello', version: 1, drafts: true });
    worker.send({ type: 'stop' });
    expect([await worker.exited, worker.stderr]).toEqual([{ code: 0, signal: null }, '']);
  });

  test('a daemon of another version is refused', async () => {
    const worker = start();
    worker.send({ type: 'hello', version: 99, drafts: true });
    expect([await worker.exited, worker.reports()[0]?.event]).toEqual([
      { code: 1, signal: null },
      'foreign_version',
    ]);
  });
});

describe('the journey of a message', () => {
  let worker: WorkerProcess;
  beforeEach(async () => {
    worker = start();
    await worker.frame('ready');
  });

  test('a command is run after its decision is stored, told, and the session stays until it is released', async () => {
    worker.lease();
    worker.answer(
      await worker.ask('nextStep'),
      request(1, [said(3, 'run echo "$KAIROS_RUN" > proof.txt; cat proof.txt')]),
    );
    const replied = await worker.ask('recordReply');
    const { reply } = replied.input as { reply: ReturnType<typeof replyOf> };
    worker.answer(replied, callsOf(1, reply));
    const begun = await worker.ask('beginCall');
    expect(existsSync(join(worker.dir, 'proof.txt'))).toBe(false);
    worker.answer(begun, { kind: 'granted' });
    const ended = await worker.ask('endCall');
    worker.answer(ended, { next: { kind: 'idle' } });
    expect([reply.parts, ended.input]).toEqual([
      [
        {
          type: 'call',
          id: 'cal_1_0',
          tool: 'Bash',
          input: { command: 'echo "$KAIROS_RUN" > proof.txt; cat proof.txt' },
        },
      ],
      { call: 'cal_1_0', result: { outcome: 'ok', output: 'test.7\n' }, known: 3 },
    ]);
    worker.send({ type: 'changed', session: 'ses_1', lease: 'lse_1' });
    worker.answer(await worker.ask('nextStep', 1), { kind: 'idle' });
    worker.send({ type: 'release', session: 'ses_1', lease: 'lse_1', interrupt: false });
    expect(await worker.frame('released')).toEqual({
      type: 'released',
      session: 'ses_1',
      lease: 'lse_1',
      why: 'asked',
    });
  });

  test('a change that comes while the runner is busy is not slept through', async () => {
    worker.lease();
    const first = await worker.ask('nextStep');
    worker.send({ type: 'changed', session: 'ses_1', lease: 'lse_1' });
    worker.answer(first, { kind: 'idle' });
    expect(await worker.ask('nextStep', 1)).toMatchObject({ type: 'ask', verb: 'nextStep' });
  });

  test.each([
    [
      'that this build has not',
      [{ ...offlineChoice, ref: 'gone/x' }],
      'model_unavailable',
      /"gone\/x" is not known here/,
    ],
    ['whose key is not in the lease', [remote], 'credential_missing', /"openai\/x" needs the key "openai"/],
  ])('a model %s parks the session, which is let go as refused', async (_title, models, code, words) => {
    worker.lease({ model: models[0]?.ref ?? '', models, secrets: {} });
    const park = await worker.ask('park');
    worker.answer(park, {});
    const reason = expect.stringMatching(words);
    expect([park.input, await worker.frame('released')]).toEqual([
      { code, reason },
      { type: 'released', session: 'ses_1', lease: 'lse_1', why: 'refused', reason },
    ]);
  });

  test('two sessions run side by side, each with one question at a time', async () => {
    worker.lease();
    worker.lease({ session: 'ses_2', lease: 'lse_2' });
    const asks = [await worker.ask('nextStep', 0), await worker.ask('nextStep', 1)];
    // Both make their frames at the same time: nothing promises which one asks first.
    expect(asks.map((ask) => `${ask.session} ${ask.lease}`).sort()).toEqual(['ses_1 lse_1', 'ses_2 lse_2']);
  });

  test('a fault other than stale lets the session go as failed, with a line on stderr', async () => {
    worker.lease();
    worker.fault(await worker.ask('nextStep'), 'disk_full');
    expect(await worker.frame('released')).toMatchObject({ why: 'failed', reason: 'scripted fault' });
    expect(await worker.reportsUntil('runner_failed')).toMatchObject([
      { from: 'worker', event: 'runner_failed', session: 'ses_1' },
    ]);
  });
});

describe('bad frames', () => {
  test('are reported and dropped, and the link goes on', async () => {
    const worker = start();
    await worker.frame('ready');
    for (const frame of [
      {},
      'text',
      { type: 'bogus' },
      { type: 'lease', lease: { session: 7 } },
      { type: 'answer' },
    ]) {
      worker.sendRaw(frame);
    }
    worker.send({ type: 'answer', id: 12345, ok: true, output: {} });
    worker.lease();
    worker.answer(await worker.ask('nextStep'), { kind: 'no such grant' });
    expect(await worker.frame('released')).toMatchObject({
      why: 'failed',
      reason: "The daemon's answer to nextStep is malformed.",
    });
    const reports = await worker.reportsUntil('runner_failed');
    expect(reports.map((report) => [report.event, report.type ?? report.id ?? report.message])).toEqual([
      ['malformed_frame', 'object'],
      ['malformed_frame', 'string'],
      ['malformed_frame', 'bogus'],
      ['malformed_frame', 'lease'],
      ['malformed_frame', 'answer'],
      ['unasked_answer', 12345],
      ['runner_failed', "The daemon's answer to nextStep is malformed."],
    ]);
  });
});

describe('large frames', () => {
  test('a lease and a call of more than 256 KB go both ways as parcels', async () => {
    const worker = start();
    const content = 'x'.repeat(3_000_000);
    worker.lease({ context: content });
    const reply = replyOf({ id: 'c1', tool: 'Write', input: { file_path: 'big.txt', content } });
    worker.answer(await worker.ask('nextStep'), callsOf(1, reply));
    const begun = await worker.ask('beginCall');
    const { facts } = begun.input as { facts: { preview: string } };
    worker.answer(begun, { kind: 'granted' });
    worker.answer(await worker.ask('endCall'), { next: { kind: 'idle' } });
    const path = join(worker.dir, 'big.txt');
    expect([
      facts.preview === `${path}\nnew file:\n\n${content}`,
      readFileSync(path, 'utf8') === content,
      readdirSync(worker.parcels),
    ]).toEqual([true, true, []]);
  });

  test.each([
    [
      'a forged parcel',
      { type: 'parcel', sha256: 'a'.repeat(64), bytes: 3 },
      'A parcel cannot be read (ENOENT).',
    ],
    [
      'a large frame without a parcel',
      { type: 'mode', padding: 'x'.repeat(10_000_000) },
      'came without a parcel.',
    ],
  ])('%s ends the worker with a line on stderr', async (_what, frame, message) => {
    const worker = start();
    await worker.frame('ready');
    worker.sendRaw(frame);
    const reports = await worker.reportsUntil('link_fault');
    expect([await worker.exited, reports.at(-1)]).toEqual([
      { code: 1, signal: null },
      expect.objectContaining({ event: 'link_fault', message: expect.stringContaining(message) }),
    ]);
  });
});

test('a worker says that it hears, also in the middle of a call', async () => {
  const worker = start();
  await intoCall(worker, 'sleep 60');
  worker.send({ type: 'ping', n: 7 });
  expect(await worker.frame('pong')).toEqual({ type: 'pong', n: 7 });
});

describe('ending', () => {
  test('a lost daemon ends the worker and its busy loop within 2 seconds', async () => {
    const worker = start();
    const pid = await intoCall(worker, `trap '' TERM HUP INT; while :; do :; done`);
    const began = performance.now();
    worker.process.disconnect();
    expect(await worker.exited).toEqual({ code: 0, signal: null });
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  }, 20_000);

  test('kill -9 of the worker takes the busy loop with it', async () => {
    const worker = start();
    const pid = await intoCall(worker, `trap '' TERM HUP INT; while :; do :; done`);
    worker.process.kill('SIGKILL');
    await worker.exited;
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  }, 20_000);

  test('a release with interrupt kills the running call; one without lets it end', async () => {
    const [cut, kept] = [start(), start()];
    const pid = await intoCall(cut, 'sleep 60');
    cut.send({ type: 'release', session: 'ses_1', lease: 'lse_1', interrupt: true });
    cut.fault(await cut.ask('endCall'), 'stale');
    await intoCall(kept, 'while [ ! -e go ]; do sleep 0.02; done; echo finished');
    kept.send({ type: 'release', session: 'ses_1', lease: 'lse_1', interrupt: false });
    kept.send({ type: 'release', session: 'ses_1', lease: 'another', interrupt: true });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(kept.dir, 'go'), '');
    const ended = await kept.ask('endCall');
    kept.answer(ended, { next: null });
    expect([
      (await cut.frame('released')).why,
      await isAlive(pid),
      ended.input,
      (await kept.frame('released')).why,
    ]).toEqual([
      'asked',
      false,
      { call: 'c1', result: { outcome: 'ok', output: 'finished\n' }, known: 0 },
      'asked',
    ]);
  }, 20_000);

  test('told to stop in a call, it stores the result, lets go and exits', async () => {
    const worker = start();
    await intoCall(worker, 'sleep 0.3; echo done');
    worker.send({ type: 'stop' });
    worker.answer(await worker.ask('endCall'), { next: null });
    expect([(await worker.frame('released')).why, await worker.exited]).toEqual([
      'asked',
      { code: 0, signal: null },
    ]);
  }, 20_000);

  test('a new lease on the same session begins only after the old one has ended', async () => {
    const worker = start();
    const pid = await intoCall(worker, 'sleep 60');
    worker.lease({ lease: 'lse_2' });
    const ended = await worker.ask('endCall');
    expect([
      ended.lease,
      (ended.input as { result: { outcome: string } }).result.outcome,
      await isAlive(pid),
    ]).toEqual(['lse_1', 'interrupted', false]);
    worker.fault(ended, 'stale');
    expect((await worker.ask('nextStep', 1)).lease).toBe('lse_2');
  }, 20_000);
});
