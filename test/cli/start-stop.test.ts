import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../electron/node/clock.ts';
import { homeProcesses } from '../../electron/cli/process/home-processes.ts';
import { isAlive } from '../../electron/node/process-table.ts';
import { waitForExit } from '../../electron/node/wait-for-exit.ts';
import type { Harness } from './support/cli-harness.ts';
import { contract } from './support/contract.ts';
import { type FakeKairos, createFakeKairos } from './support/fake-kairos.ts';

// Real processes and sockets on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

let fake: FakeKairos;
let harness: Harness;

beforeEach(() => {
  fake = createFakeKairos();
  ({ harness } = fake);
});
afterEach(() => fake.dispose());

/** Starts a fake and remembers its process, so that none is left whatever a test does. */
async function start(): Promise<{ pid: number; url: string; version: string }> {
  const { code, out, err } = await fake.run('daemon start --json');
  expect([code, err]).toEqual([0, '']);
  const ready = contract.start.parse(JSON.parse(out));
  fake.started.push(ready.pid);
  return ready;
}

test('start prints the contract when ready, a second start attaches, status and stop see the same process', async () => {
  const ready = await start();
  const again = await fake.run('daemon start --json');
  const status = contract.status.parse(JSON.parse((await fake.run('daemon status --json')).out));
  const stopped = await fake.run('daemon stop --json');
  expect({
    again: [again.code, JSON.parse(again.out)],
    status: [status.pid, status.supervisorPid, status.state],
    stopped: [stopped.code, JSON.parse(stopped.out)],
    alive: await isAlive(ready.pid),
    after: (await fake.run('daemon status')).code,
    home: statSync(harness.home.home).mode & 0o777,
  }).toEqual({
    again: [0, ready],
    status: [ready.pid, ready.pid, 'running'],
    stopped: [0, { stopped: true, pid: ready.pid, supervisorPid: ready.pid }],
    alive: false,
    after: 3,
    home: 0o700,
  });
});

test('restart ends the old process and starts a new one; without an old one it just starts', async () => {
  const fresh = await fake.run('daemon restart --json');
  const first = contract.start.parse(JSON.parse(fresh.out));
  fake.started.push(first.pid);
  const second = contract.start.parse(JSON.parse((await fake.run('daemon restart --json')).out));
  fake.started.push(second.pid);
  expect([await isAlive(first.pid), await isAlive(second.pid), first.pid === second.pid]).toEqual([
    false,
    true,
    false,
  ]);
});

test.each([
  ['fail', 'Kairos did not start: The port is taken.'],
  ['crash', 'Kairos did not start: TypeError: nobody foresaw this.'],
])('a supervisor that ends at once (%s) fails the start at once, with its reason', async (mode, sentence) => {
  harness.env.FAKE_MODE = mode;
  const began = systemClock.monotonic();
  const { code, out, err } = await fake.run('daemon start --json');
  expect([code, out, err.split(' See:')[0], systemClock.monotonic() - began < 5_000]).toEqual([
    1,
    '',
    sentence,
    true,
  ]);
});

test('a supervisor that has not written anything down yet is stopped, and its start says so', async () => {
  harness.env.FAKE_MODE = 'slow';
  const starting = fake.run('daemon start');
  const found = async (): Promise<number> => (await homeProcesses(harness.home)).supervisor?.pid ?? 0;
  await expect.poll(found, { timeout: 10_000 }).toBeGreaterThan(0);
  const pid = await found();
  fake.started.push(pid);
  const stopped = await fake.run('daemon stop --json');
  expect([stopped.code, JSON.parse(stopped.out), await starting, await isAlive(pid)]).toEqual([
    0,
    { stopped: true, pid: null, supervisorPid: pid },
    {
      code: 1,
      out: '',
      err: 'Kairos was stopped while it was starting. Start it again with: kairos daemon start\n',
    },
    false,
  ]);
});

test('safe mode is ready too, and says so and why, on stderr and as JSON', async () => {
  harness.env.FAKE_SAFE = 'The schema is newer.';
  const { code, out, err } = await fake.run('daemon start --json');
  const { pid, ...rest } = contract.safeStart.parse(JSON.parse(out));
  fake.started.push(pid);
  expect([code, rest.reason, err]).toEqual([
    0,
    'The schema is newer.',
    'Kairos runs in safe mode, without sessions: The schema is newer. Mend the cause (see: kairos doctor, kairos logs), then: kairos daemon restart\n',
  ]);
});

test('a copy without its programs says what to do', async () => {
  rmSync(join(fake.programs, 'supervisor.js'));
  const { code, err } = await fake.run('daemon start');
  expect([
    code,
    err.includes('supervisor.js" is missing. Run "npm run build", or install Kairos again.'),
  ]).toEqual([1, true]);
});

test('start in the terminal greets with the address, runs until Ctrl+C, and leaves nothing', async () => {
  const running = fake.run('start --no-open');
  const pid = await fake.findPid();
  fake.started.push(pid);
  const status = contract.status.parse(JSON.parse((await fake.run('daemon status --json')).out));
  const second = await fake.run('start --no-open');
  harness.signal('SIGINT');
  const { code, out, err } = await running;
  expect({
    tied: status.tied,
    second: [second.code, second.out.includes('It was already running')],
    code,
    out: out
      .replaceAll(harness.home.home, 'HOME')
      .replace(/:\d+\//, ':PORT/')
      .split('\n'),
    err,
    gone: await waitForExit({ pid }, 5_000, systemClock),
  }).toEqual({
    tied: true,
    second: [0, true],
    code: 0,
    out: [
      'Kairos is running. Its window: http://127.0.0.1:PORT/#ticket=one-time',
      '  The link works once, within 30 seconds; a new one: kairos open',
      '',
      'Try it in another terminal:',
      '  kairos send "help" --wait',
      '  kairos send "run echo hello > proof.txt" --wait',
      '',
      'Ctrl+C stops it. Its state is in HOME',
      '',
    ],
    err: 'Stopping… Sessions, messages and open approvals are kept.\nStopped.\n',
    gone: true,
  });
});

test('start in the terminal ends in order when it is stopped from elsewhere, and with 1 when it fails', async () => {
  const running = fake.run('start --no-open');
  fake.started.push(await fake.findPid());
  await fake.run('daemon stop');
  const stopped = await running;
  harness.env.FAKE_MODE = 'fail';
  const failed = await fake.run('start --no-open');
  expect([stopped.code, stopped.err, failed.code, failed.err.split('\n').at(-2)?.split(' See:')[0]]).toEqual([
    0,
    'Kairos was stopped.\n',
    1,
    'Kairos did not start: The port is taken.',
  ]);
});

test('daemon run stays in the foreground and refuses to run beside another', async () => {
  const running = fake.run('daemon run');
  fake.started.push(await fake.findPid());
  const beside = await fake.run('daemon run');
  harness.signal('SIGTERM');
  const wrong = await fake.run('daemon run --tied-to x');
  expect([
    (await running).code,
    beside.code,
    beside.err.includes('Kairos already runs on'),
    wrong.code,
  ]).toEqual([0, 1, true, 2]);
});
