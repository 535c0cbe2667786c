import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliContext, EndSignal, TextOutput } from '../../../electron/cli/context.ts';
import { runCli } from '../../../electron/cli/run-cli.ts';
import { writeJsonAtomic } from '../../../electron/node/atomic-file.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { type Home, homeLayout } from '../../../electron/node/home.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { ownStartTime } from '../../../electron/node/process-table.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import type { FakeBridge } from './fake-bridge.ts';

/** What a command printed and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A clock that runs `times` as fast, for limits of seconds that a test need not sit through. */
export function fastClock(times: number): Clock {
  return {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() * times,
    after: (ms, fn, options) => systemClock.after(ms / times, fn, options),
  };
}

export interface Harness {
  readonly home: Home;
  readonly env: Record<string, string>;
  /** Runs a command line in this process; `stdin` is what it can read. */
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Says in `daemon.json` that this process is the daemon behind a bridge. */
  announce(bridge: Pick<FakeBridge, 'url' | 'port' | 'token'>, more?: Record<string, unknown>): Promise<void>;
  /** Says in `supervisor.json` that this process supervises. */
  announceSupervisor(more?: Record<string, unknown>): Promise<void>;
  /** Sends a signal to the command that runs. */
  signal(name: EndSignal): void;
  dispose(): void;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly programs?: string;
  readonly program?: string;
}

function capture(options: RunOptions): TextOutput & { text(): string } {
  let all = '';
  return {
    isTerminal: options.terminal === true,
    columns: options.columns,
    closed: false,
    text: () => all,
    write(text) {
      all += text;
      return Promise.resolve();
    },
  };
}

async function* chunks(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

interface Surroundings {
  readonly home: Home;
  readonly env: Record<string, string>;
  readonly clock: Clock;
  readonly listeners: Set<(signal: EndSignal) => void>;
}

function contextFor(
  around: Surroundings,
  options: RunOptions,
  stdout: TextOutput,
  stderr: TextOutput,
): CliContext {
  const { home, env, clock, listeners } = around;
  return {
    env,
    cwd: home.home,
    clock,
    ids: createSystemIds(systemClock),
    home,
    program: options.program ?? 'kairos',
    programs: options.programs ?? home.home,
    stdout,
    stderr,
    stdin: chunks(options.stdin ?? ''),
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => '0.1.0',
  };
}

async function runIn(around: Surroundings, argv: readonly string[], options: RunOptions): Promise<Ran> {
  const stdout = capture(options);
  const stderr = capture(options);
  const code = await runCli(argv, contextFor(around, options, stdout, stderr));
  return { code, out: stdout.text(), err: stderr.text() };
}

/** A temporary home and everything to run commands against it. */
export function createHarness(clock: Clock = systemClock): Harness {
  const folder = mkdtempSync(join(tmpdir(), 'kairos-cli-'));
  const home = homeLayout(folder);
  const env: Record<string, string> = { KAIROS_HOME: folder, PATH: process.env.PATH ?? '' };
  const listeners = new Set<(signal: EndSignal) => void>();
  return {
    home,
    env,
    run: (argv, options = {}) => runIn({ home, env, clock, listeners }, argv, options),
    async announce({ url, port, token }, more = {}) {
      const startTime = await ownStartTime();
      const fixed = { version: '0.1.0', supervisorPid: null, safe: null };
      await writeJsonAtomic(home.daemonFile, {
        pid: process.pid,
        startTime,
        port,
        url,
        token,
        ...fixed,
        ...more,
      });
    },
    async announceSupervisor(more = {}) {
      const startTime = await ownStartTime();
      const fixed = {
        daemonPid: null,
        url: null,
        state: 'waiting',
        lastFailure: null,
        restarts: 1,
        tied: false,
      };
      await writeFile(
        home.supervisorFile,
        JSON.stringify({ pid: process.pid, startTime, ...fixed, ...more }),
      );
    },
    signal(name) {
      for (const listener of listeners) listener(name);
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
