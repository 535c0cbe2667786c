import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BridgeClient } from './bridge-client.ts';
import { type Dist, distFolder } from './checkout.ts';
import { type CommandResult, type RunningCommand, startCommand } from './command.ts';
import { type HomeProcess, type ProcessKind, isLiving, killNow, processesOf } from './processes.ts';
import { waitFor } from './wait-for.ts';

/** What a test wants to be different; `env` is added to the environment of everything that is started. */
export interface KairosOptions {
  readonly dist?: Dist;
  readonly env?: Readonly<Record<string, string>>;
  /** Content of settings.json: an object, or text as it is. */
  readonly settings?: unknown;
  /** Where the state directory shall be; default: a new temporary one. */
  readonly home?: string;
}

/** What `kairos daemon start --json` says. */
export interface Started {
  readonly pid: number;
  readonly url: string;
  readonly version: string;
}

/** One event of an export. */
export interface ExportedEvent {
  readonly id: number;
  readonly session: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly v: number;
  // Bodies differ by type; a test reads the members that it is about.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface SessionFacts {
  readonly id: string;
  readonly name: string | null;
  readonly kind: string;
  readonly state: string;
  readonly pid: number | null;
  readonly dir: string;
}

export interface ApprovalFacts {
  readonly code: string;
  readonly session: string;
  readonly tool: string | null;
  readonly description: string;
  readonly preview: string;
  readonly kind: string;
  readonly headline: string;
  /** What `always` would store; null where it is not offered. */
  readonly rule: string | null;
}

/** A state directory with everything that runs on it, driven as a stranger would: through the command line and the bridge. */
export class Kairos {
  readonly base: string;
  readonly home: string;
  /** Where sessions work. */
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly bridge: BridgeClient;
  readonly #dist: string;
  readonly #running = new Set<RunningCommand>();
  readonly #ownsHome: boolean;

  constructor(options: KairosOptions = {}) {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'kr-')));
    this.home = options.home ?? join(this.base, 'h');
    this.#ownsHome = options.home === undefined;
    this.work = join(this.base, 'w');
    mkdirSync(this.work);
    if (this.#ownsHome) mkdirSync(this.home, { mode: 0o700 });
    this.#dist = distFolder(options.dist ?? 'dist');
    this.env = {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: process.env.HOME ?? '/root',
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      KAIROS_HOME: this.home,
      // A model server that happens to run on this machine must not be found.
      KAIROS_MODEL: 'offline',
      ...options.env,
    };
    this.bridge = new BridgeClient(this.home);
    if (options.settings !== undefined) this.writeSettings(options.settings);
  }

  writeSettings(settings: unknown): void {
    const text = typeof settings === 'string' ? settings : `${JSON.stringify(settings, null, 2)}\n`;
    writeFileSync(join(this.home, 'settings.json'), text, { mode: 0o600 });
  }

  /** Starts `kairos <args>` and does not wait. */
  start(
    args: readonly string[],
    extra: { env?: Readonly<Record<string, string>>; input?: string; cwd?: string; withinMs?: number } = {},
  ): RunningCommand {
    const { env, cwd, ...rest } = extra;
    const running = startCommand({
      dist: this.#dist,
      args,
      env: { ...this.env, ...env },
      cwd: cwd ?? this.work,
      ...rest,
    });
    this.#running.add(running);
    void running.ended.finally(() => this.#running.delete(running));
    return running;
  }

  /** Runs `kairos <args>` to its end. */
  cli(args: readonly string[], extra: Parameters<Kairos['start']>[1] = {}): Promise<CommandResult> {
    return this.start(args, extra).ended;
  }

  /** The same with `--json`; rejects unless the exit code is one of `codes`. */
  async json<Value>(args: readonly string[], codes: readonly number[] = [0]): Promise<Value> {
    const result = await this.cli([...args, '--json']);
    if (result.code === null || !codes.includes(result.code) || result.json === undefined) {
      throw new Error(`kairos ${args.join(' ')}: exit ${result.code}\n${result.stdout}\n${result.stderr}`);
    }
    return result.json as Value;
  }

  startDaemon(): Promise<Started> {
    return this.json<Started>(['daemon', 'start']);
  }

  async stopDaemon(): Promise<void> {
    await this.json(['daemon', 'stop']);
  }

  sessions(): Promise<readonly SessionFacts[]> {
    return this.json(['sessions']);
  }

  approvals(): Promise<readonly ApprovalFacts[]> {
    return this.json(['approvals']);
  }

  /** Waits until exactly one thing is asked and gives it. */
  approval(withinMs = 10_000): Promise<ApprovalFacts> {
    return waitFor(async () => (await this.approvals())[0], {
      what: 'something to approve',
      withinMs,
      everyMs: 50,
    });
  }

  /** The whole log of a session, as `kairos export` prints it. */
  async exported(session: string): Promise<readonly ExportedEvent[]> {
    const result = await this.cli(['export', session]);
    if (result.code !== 0) throw new Error(`kairos export ${session}: exit ${result.code}\n${result.stderr}`);
    return result.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ExportedEvent);
  }

  /** Everything that lives on this home but the command-line programs that this test runs. */
  processes(...kinds: readonly ProcessKind[]): readonly HomeProcess[] {
    const own = new Set([...this.#running].flatMap(({ process: child }) => child.pid ?? []));
    const all = processesOf(this.home, own);
    return kinds.length === 0 ? all : all.filter(({ kind }) => kinds.includes(kind));
  }

  /** Resolves when nothing of this home lives; rejects after `withinMs` with what does. */
  async nothingLeft(withinMs = 5_000): Promise<void> {
    let left: readonly HomeProcess[] = [];
    await waitFor(() => (left = this.processes()).length === 0, {
      what: 'the end of every process',
      withinMs,
    }).catch(() => {
      throw new Error(
        `still running after ${withinMs} ms: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`,
      );
    });
  }

  /** Ends everything, removes the folders, and rejects when something had to be killed that should have been gone. */
  async dispose(): Promise<void> {
    for (const { process: child } of this.#running) child.kill('SIGKILL');
    this.bridge.close();
    const problems: string[] = [];
    if (this.processes('supervisor', 'daemon').length > 0) {
      const stopped = await this.cli(['daemon', 'stop'], { withinMs: 20_000 });
      if (stopped.code !== 0 && stopped.code !== 3)
        problems.push(`daemon stop: exit ${stopped.code} ${stopped.stderr}`);
    }
    await this.nothingLeft().catch((error: Error) => problems.push(error.message));
    for (const { pid } of this.processes()) killNow(pid);
    await waitFor(() => this.processes().every(({ pid }) => !isLiving(pid)), {
      what: 'killed processes to go',
    }).catch(() => undefined);
    rmSync(this.base, { recursive: true, force: true });
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
}

/** A home whose daemon is ready. */
export async function startKairos(options: KairosOptions = {}): Promise<Kairos> {
  const kairos = new Kairos(options);
  try {
    await kairos.startDaemon();
    return kairos;
  } catch (error) {
    await kairos.dispose().catch(() => undefined);
    throw error;
  }
}

/** Runs `body` with a ready home and cleans up whatever happens; a process that is left is a failure. */
export async function withKairos(
  options: KairosOptions,
  body: (kairos: Kairos) => Promise<void>,
): Promise<void> {
  const kairos = await startKairos(options);
  let failed = true;
  try {
    await body(kairos);
    failed = false;
  } finally {
    // What the test found is worth more than what the cleaning up says after it.
    await kairos.dispose().catch((error: unknown) => {
      if (!failed) throw error;
    });
  }
}
