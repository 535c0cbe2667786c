import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** How a command-line program ended. `json` is its stdout parsed, undefined when that is no JSON. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: unknown;
  /** From spawn to the end, ms. */
  readonly ms: number;
}

/** What to run and with what. `dist` is the folder of the build; `env` the whole environment. */
export interface CommandOptions {
  readonly dist: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input?: string;
  /** Killed after this many ms (then `code` is null). */
  readonly withinMs?: number;
}

/** A running program: its process and how it ends. */
export interface RunningCommand {
  readonly process: ChildProcess;
  readonly ended: Promise<CommandResult>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Starts `kairos <args>` of a build on this Node, without the way through npm. */
export function startCommand({
  dist,
  args,
  env,
  cwd,
  input,
  withinMs = 60_000,
}: CommandOptions): RunningCommand {
  const began = performance.now();
  const child = spawn(process.execPath, [join(dist, 'kairos.js'), ...args], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      const stdout = Buffer.concat(out).toString('utf8');
      const stderr = Buffer.concat(err).toString('utf8');
      resolve({ code, stdout, stderr, json: parse(stdout), ms: performance.now() - began });
    });
  });
  return { process: child, ended };
}
