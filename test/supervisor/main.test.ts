import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SupervisorState, supervisorStateSchema } from '../../shared/protocol/supervisor-link.ts';
import { allGoneWithin, below, eventually, killAfterTest } from '../node/support/processes.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const main = path('../../electron/supervisor/main.ts');
const fakeDaemon = path('fixtures/fake-daemon.mjs');

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'kairos-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

interface Running {
  readonly child: ChildProcess & { readonly pid: number };
  readonly home: string;
  readonly stderr: () => string;
  /** Exit code or signal. */
  readonly ended: Promise<number | string>;
}

function supervisor(script: string, args: readonly string[] = [], home = newHome()): Running {
  const env = { ...process.env, KAIROS_HOME: home, FAKE_DAEMON: script };
  const child = spawn(process.execPath, [main, `--daemon-entry=${fakeDaemon}`, ...args], {
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  }) as ChildProcess & { readonly pid: number };
  killAfterTest(child.pid);
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += String(text);
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, home, stderr: () => stderr, ended };
}

function state(home: string): SupervisorState | undefined {
  const file = join(home, 'supervisor.json');
  return existsSync(file) ? supervisorStateSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

const reaches = (home: string, wanted: SupervisorState['state']): Promise<SupervisorState> =>
  eventually(() => {
    const now = state(home);
    return now?.state === wanted ? now : undefined;
  });

describe('the supervisor', () => {
  test('starts the daemon, says so in its file, and on SIGTERM lets it stop in order', async () => {
    const { child, home, ended } = supervisor('ready');
    const running = await reaches(home, 'running');
    expect(running).toEqual({
      pid: child.pid,
      startTime: expect.any(String),
      daemonPid: expect.any(Number),
      url: 'http://127.0.0.1:1',
      state: 'running',
      lastFailure: null,
      restarts: 0,
      tied: false,
    });
    expect(statSync(join(home, 'supervisor.json')).mode & 0o777).toBe(0o600);
    const everything = await below(child.pid);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(state(home)).toMatchObject({ state: 'stopped', daemonPid: null, url: null });
    expect(await allGoneWithin(everything, 1_000)).toBe(true);
  });

  test('starts the daemon again after a crash and remembers why', async () => {
    const { child, home, ended } = supervisor('ready-then-crash,ready');
    const running = await eventually(() => {
      const now = state(home);
      return now?.state === 'running' && now.restarts === 1 ? now : undefined;
    });
    expect(running.lastFailure).toMatchObject({ code: 'signal-SIGKILL' });
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('ends with 75 and the reason when another daemon holds the home', async () => {
    const { ended, stderr } = supervisor('exit:75');
    expect(await ended).toBe(75);
    expect(stderr()).toBe('kairos: Another daemon is already running on this home.\n');
  });

  test('does not write over the file of one that runs', async () => {
    const first = supervisor('ready');
    const running = await reaches(first.home, 'running');
    // The list of starts is shared: the second start is the second word.
    const second = supervisor('ready,exit:75', [], first.home);
    expect(await second.ended).toBe(75);
    expect(state(first.home)).toEqual(running);
  });

  test('goes to safe mode at once, with the reason, for a problem that a restart cannot cure', async () => {
    const { child, home, ended } = supervisor('fail:78,ready');
    expect((await reaches(home, 'safe')).lastFailure).toMatchObject({ code: 'schema-newer' });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('tied to a descriptor, stops in order at its end', async () => {
    const { child, home, ended } = supervisor('ready', ['--tied-to=3']);
    expect((await reaches(home, 'running')).tied).toBe(true);
    const everything = await below(child.pid);
    (child.stdio[3] as Writable).destroy();
    expect(await ended).toBe(0);
    expect(await allGoneWithin(everything, 1_000)).toBe(true);
  });

  test('kills a daemon that hangs after the grace', async () => {
    const { child, home, ended } = supervisor('hang', ['--stop-grace-ms=200']);
    await reaches(home, 'running');
    const everything = await below(child.pid);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await allGoneWithin(everything, 1_000)).toBe(true);
  });

  test('kills a daemon that hangs at once when asked twice', async () => {
    const { child, home, ended } = supervisor('hang');
    await reaches(home, 'running');
    child.kill('SIGTERM');
    await reaches(home, 'stopping');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('killed with -9 takes a daemon in a busy loop with it within 1 s', async () => {
    const { child, home, ended } = supervisor('busy');
    await reaches(home, 'running');
    const everything = await below(child.pid);
    expect(everything.length).toBe(2);
    child.kill('SIGKILL');
    expect(await allGoneWithin(everything, 1_000)).toBe(true);
    expect(await ended).toBe('SIGKILL');
  });
});

describe('a supervisor that cannot work says why and ends with 78', () => {
  test.each([
    ['a missing program', ['--daemon-entry=/no/such/daemon.js'], /"\/no\/such\/daemon.js" is missing. Run/],
    ['an unknown argument', ['--elevated'], /Unknown argument "--elevated"/],
    ['a tie that is not open', ['--tied-to=77'], /--tied-to=77 is not an open pipe/],
  ])('%s', async (_what, args, message) => {
    const { ended, stderr } = supervisor('ready', args);
    expect(await ended).toBe(78);
    expect(stderr()).toMatch(message);
  });

  test('an unusable home', async () => {
    const { ended, stderr } = supervisor('ready', [], '/proc/kairos');
    expect(await ended).toBe(78);
    expect(stderr()).toMatch(/cannot be created/);
  });
});
