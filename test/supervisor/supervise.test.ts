import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../shared/base/ports.ts';
import { systemClock } from '../../electron/node/clock.ts';
import { startDaemon } from '../../electron/supervisor/daemon-process.ts';
import { type StateChange, supervise } from '../../electron/supervisor/supervise.ts';

const entry = fileURLToPath(new URL('fixtures/fake-daemon.mjs', import.meta.url));
const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Back-off takes no time; what it would have taken is written down. */
function hurriedClock(delays: number[]): Clock {
  return {
    ...systemClock,
    after(ms, fn, options) {
      if (options?.keepAlive === false) return systemClock.after(ms, fn, options);
      delays.push(ms);
      return systemClock.after(0, fn);
    },
  };
}

async function superviseScript(script: string) {
  const home = mkdtempSync(join(tmpdir(), 'kairos-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const delays: number[] = [];
  const changes: StateChange[] = [];
  process.env.FAKE_DAEMON = script;
  onTestFinished(() => void delete process.env.FAKE_DAEMON);
  const clock = hurriedClock(delays);
  const supervision = supervise({
    clock,
    log: quiet,
    stopGraceMs: 4_000,
    report: (change) => void changes.push(change),
    startDaemon: (mode, reason, onMessage) =>
      startDaemon({ entry, home, mode, reason, clock: systemClock, onMessage, onStderr: () => undefined }),
  });
  const starts = (): string[][] =>
    readFileSync(join(home, 'starts.log'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { args: string[] }).args);
  return { ...supervision, delays, changes, starts };
}

test('a daemon that crashes again and again ends in safe mode with the reason, then the supervisor gives up', async () => {
  const { outcome, delays, changes, starts } = await superviseScript('throw');
  const reason = 'The daemon ended with exit code 1: TypeError: the moon is missing, token=[masked]';
  expect(await outcome).toEqual({ exitCode: 70, failure: { code: 'exit-1', reason } });
  const safe = ['--safe', `--reason=${reason}`];
  expect(starts()).toEqual([[], [], [], [], [], [], safe, safe, safe]);
  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 0, 250, 500]);
  expect(changes.at(-1)).toEqual({ state: 'failed', daemonPid: null, url: null });
});

test('a daemon that says why it fails is quoted, and a problem of configuration is not tried again', async () => {
  const { outcome, starts, changes } = await superviseScript('fail:78,exit:0');
  expect(await outcome).toEqual({ exitCode: 0, failure: undefined });
  const reason = 'The store was written by a newer version.';
  expect(starts()).toEqual([[], ['--safe', `--reason=${reason}`]]);
  expect(changes.find((change) => change.lastFailure)?.lastFailure).toMatchObject({
    code: 'schema-newer',
    reason,
  });
});

test('a daemon that was killed is started again', async () => {
  const { outcome, starts, changes } = await superviseScript('ready-then-crash,exit:0');
  expect(await outcome).toEqual({ exitCode: 0, failure: undefined });
  expect(starts()).toEqual([[], []]);
  expect(changes.find((change) => change.lastFailure)?.lastFailure).toMatchObject({
    code: 'signal-SIGKILL',
    reason: 'The daemon was killed by SIGKILL.',
  });
});
