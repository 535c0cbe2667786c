import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Harness, createHarness } from './support/cli-harness.ts';
import { type FakeBridge, startFakeBridge } from './support/fake-bridge.ts';
import { sampleAnswer } from './support/samples.ts';

const entry = new URL('../../electron/cli/main.ts', import.meta.url).pathname;
// Real processes and sockets on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

let harness: Harness;
let bridge: FakeBridge;

beforeEach(async () => {
  harness = createHarness();
  bridge = await startFakeBridge();
  await harness.announce(bridge);
});
afterEach(async () => {
  await bridge.close();
  harness.dispose();
});

function start(args: readonly string[], cwd = harness.home.home): ChildProcess {
  return spawn(process.execPath, [entry, ...args], {
    cwd,
    env: harness.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function textOf(stream: Readable | null): Promise<string> {
  return new Promise((resolve) => {
    let all = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk;
    });
    stream?.on('end', () => resolve(all));
  });
}

async function end(child: ChildProcess) {
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const [err, code] = await Promise.all([textOf(child.stderr), exited]);
  return { code, err };
}

test('a reader that goes away in the middle of a long export ends it quietly', async () => {
  const line = `${JSON.stringify({ seq: 1, text: 'x'.repeat(1000) })}\n`;
  bridge.routes['GET /sessions/a/export'] = () => ({ raw: line.repeat(20_000) });
  const child = start(['export', 'a']);
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect(await end(child)).toEqual({ code: 0, err: '' });
});

test('output that cannot be written is one sentence and a failure', async () => {
  bridge.routes['GET /sessions'] = () => ({ body: [] });
  bridge.routes['GET /sessions/a/export'] = () => ({ raw: '{"seq":1}\n' });
  const ended = await Promise.all(
    ['--help', 'sessions --json', 'doctor', 'export a'].map((line) => {
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, [entry, ...line.split(' ')], {
        cwd: harness.home.home,
        env: harness.env,
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      return end(child);
    }),
  );
  const err =
    'What this command prints could not be written: the disk is full. Free some space, or send it elsewhere.\n';
  expect(ended).toEqual([1, 1, 1, 1].map((code) => ({ code, err })));
});

test('a long export through a slow pipe arrives whole', async () => {
  const text = `${JSON.stringify({ seq: 1, text: '字'.repeat(300) })}\n`.repeat(3_000);
  bridge.routes['GET /sessions/a/export'] = () => ({ raw: text });
  const child = start(['export', 'a']);
  const [out, { code, err }] = await Promise.all([textOf(child.stdout), end(child)]);
  expect([code, err, out === text]).toEqual([0, '', true]);
});

test('Ctrl+C during a wait ends the process with 130 at once', async () => {
  bridge.routes['POST /messages'] = () => ({ status: 201, body: sampleAnswer() });
  bridge.routes['GET /messages/message-1'] = () => ({ body: sampleAnswer() });
  const child = start(['send', 'hello', '--wait']);
  bridge.onSubscribe = () => child.kill('SIGINT');
  const { code, err } = await end(child);
  expect([code, err.replace(/see: .*kairos(?:\.mjs"?)? /, 'see: kairos ')]).toEqual([
    130,
    'Left. The agent goes on; see: kairos sessions\n',
  ]);
});

test('a folder that was deleted under the person is a sentence', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'kairos-gone-'));
  // The shell steps into the folder before it is removed under it.
  const script = `rmdir "$PWD"; exec "${process.execPath}" "${entry}" send hello`;
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: gone,
    env: harness.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { code, err } = await end(child);
  rmSync(gone, { recursive: true, force: true });
  expect([code, err]).toEqual([
    1,
    'The folder you are in does not exist any more. Change to a folder that exists: cd ~\n',
  ]);
});

test('a relative KAIROS_HOME is refused in one line, and help is still given', async () => {
  const run = (args: readonly string[]) => {
    const env = { ...harness.env, KAIROS_HOME: 'state' };
    const cwd = harness.home.home;
    return end(spawn(process.execPath, [entry, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] }));
  };
  expect([await run(['sessions']), await run(['--help'])]).toEqual([
    {
      code: 1,
      err: expect.stringMatching(/^KAIROS_HOME is "state", .* Set it to an absolute path, such as .*\n$/),
    },
    { code: 0, err: '' },
  ]);
});
