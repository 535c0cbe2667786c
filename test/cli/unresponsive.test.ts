import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAlive } from '../../electron/node/process-table.ts';
import { type Harness, fastClock } from './support/cli-harness.ts';
import { type FakeKairos, createFakeKairos } from './support/fake-kairos.ts';

// Real processes and sockets on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

let fake: FakeKairos;
let harness: Harness;

beforeEach(() => {
  // The limits here are 5 s and 20 s.
  fake = createFakeKairos(fastClock(5));
  ({ harness } = fake);
});
afterEach(() => fake.dispose());

test('a process that holds the home without answering is named, and stop ends it by signal', async () => {
  harness.env.FAKE_MODE = 'deaf';
  const starting = fake.run('daemon start --json');
  const pid = await fake.findPid();
  fake.started.push(pid);
  const second = await fake.run('daemon start');
  const stopped = await fake.run('daemon stop');
  const first = await starting;
  expect([second.code, second.err.replaceAll(harness.home.home, 'HOME').replace(/:\d+\./, ':PORT.')]).toEqual(
    [
      1,
      `Process ${pid} holds the state directory "HOME" but does not answer at http://127.0.0.1:PORT. Stop it with: kairos daemon stop\n`,
    ],
  );
  expect([stopped.code, await isAlive(pid), first.code === 0]).toEqual([0, false, false]);
});

test('a start that finds the lock held names the process that holds it', async () => {
  harness.env.FAKE_MODE = 'lock';
  const script = `const { openSync } = require('node:fs'); openSync(process.argv[1], 'w'); console.log('open'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['-e', script, harness.home.lockDb], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  const { code, err } = await fake.run('daemon start');
  holder.kill('SIGKILL');
  const start = `The state directory "${harness.home.home}" is locked by process ${holder.pid} (`;
  expect([code, err.startsWith(start), err.includes('End that process, or set KAIROS_HOME')]).toEqual([
    1,
    true,
    true,
  ]);
});
