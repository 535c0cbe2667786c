import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../shared/base/ports.ts';
import { ChildError, findProgram, requireDirectory } from './find-program.ts';
import { type Leash, startLeash } from './leash.ts';
import { killTree, signalGroup } from './process-group.ts';

/** What a descriptor of the child is: a pipe to us, nothing, ours, the message channel, or an open descriptor of ours. */
export type StdioSlot = 'pipe' | 'ignore' | 'inherit' | 'ipc' | number;

/** What to start and with what; `env` is the whole environment, `stdio[n]` becomes descriptor n (at most 9). */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdio: readonly StdioSlot[];
}

/** How a child ended: an exit code or the signal that killed it. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A polite request to end: closing the message channel or stdin, SIGTERM to the group, or anything the caller sends. */
export type StopRequest = 'ipc' | 'stdin' | 'terminate' | (() => void);

/** Each request is given `graceMs` before the next; after the last follows SIGKILL. Default: `['terminate']`. */
export interface StopOptions {
  readonly graceMs: number;
  readonly by?: readonly StopRequest[];
}

/** A running child that leads its own process group and dies with this process, however this process dies. */
export interface OwnedChild {
  readonly pid: number;
  /** For streams and messages; do not signal through it. */
  readonly process: ChildProcess;
  /** Resolves when the child is gone and what was left of its group has been killed; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Asks, waits, kills; resolves when the child is gone. Calling it again shortens nothing and is harmless. */
  stop(options: StopOptions): Promise<ChildExit>;
  /** SIGKILL to the whole group now. */
  kill(): void;
}

const posix = process.platform !== 'win32';
/** dash, the smallest /bin/sh, redirects descriptors of one digit only. */
const highestDescriptor = 9;

/** The start gate: nothing of the child runs before its owner says so; when the owner dies before, `read` fails. */
function gateScript(descriptor: number): string {
  return `read -r go <&${descriptor} || exit 1; exec ${descriptor}<&-; exec "$@"`;
}

function spawnGated(program: string, options: ChildOptions): ChildProcess {
  const gate = options.stdio.length;
  return spawn('/bin/sh', ['-c', gateScript(gate), 'gate', program, ...options.args], {
    cwd: options.cwd,
    env: options.env,
    stdio: [...options.stdio, 'pipe'],
    detached: true,
  });
}

function spawnPlain(program: string, options: ChildOptions): ChildProcess {
  return spawn(program, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: [...options.stdio],
    windowsHide: true,
  });
}

function refused(command: string, cause?: unknown): ChildError {
  return new ChildError('spawn-failed', `The system refused to start "${command}".`, {
    cause,
    next: 'Close other programs or raise the limits for processes and open files, then try again.',
  });
}

async function spawnChild(program: string, options: ChildOptions): Promise<ChildProcess> {
  try {
    const child = posix ? spawnGated(program, options) : spawnPlain(program, options);
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    return child;
  } catch (cause) {
    throw refused(options.command, cause);
  }
}

/** Errors of single streams (a closed pipe, a message to a child that is gone) must not end the owner. */
function tolerateStreamErrors(child: ChildProcess): void {
  child.on('error', () => undefined);
  for (const stream of child.stdio) stream?.on('error', () => undefined);
}

function openGate(child: ChildProcess, descriptor: number): void {
  const gate = child.stdio[descriptor] as Duplex;
  gate.write('go\n', () => gate.destroy());
}

/** A leash that ends by itself more often than this shows a system on which none can live. */
const mostLeashes = 5;

/** Keeps a leash on the group for as long as the child runs: a lost one is replaced; without one the child may not go on. */
function keepLeash(groupId: number): { readonly attached: boolean; release(): void } {
  let leash: Leash | undefined;
  let left = mostLeashes;
  let over = false;
  const attach = (): void => {
    if (over) return;
    left -= 1;
    leash = left < 0 ? undefined : startLeash(groupId, attach);
    if (leash === undefined) killTree(groupId);
  };
  attach();
  return {
    attached: leash !== undefined,
    release() {
      over = true;
      leash?.release();
    },
  };
}

function askToStop(child: ChildProcess, pid: number, request: StopRequest): void {
  if (typeof request === 'function') return request();
  if (request === 'stdin') child.stdin?.end();
  else if (request === 'ipc') {
    if (child.connected) child.disconnect();
  } else if (posix) signalGroup(pid, 'SIGTERM');
}

async function stopChild(child: OwnedChild, options: StopOptions, clock: Clock): Promise<ChildExit> {
  const requests = options.by ?? ['terminate'];
  let cancel = (): void => undefined;
  const step = (index: number): void => {
    const request = requests[index];
    if (request === undefined) return child.kill();
    cancel = clock.after(options.graceMs, () => step(index + 1));
    askToStop(child.process, child.pid, request);
  };
  step(0);
  const exit = await child.exited;
  cancel();
  return exit;
}

/**
 * Starts a child that leads its own process group. On POSIX it waits at a start gate until its leash runs: if this process is
 * killed with -9 at any instant, the child either never ran or is dead within moments. Resolves with the child running,
 * before any of its output can arrive. Throws ChildError. On Windows there is no leash (README).
 */
export async function startChild(options: ChildOptions, clock: Clock): Promise<OwnedChild> {
  const gate = options.stdio.length;
  if (posix && gate > highestDescriptor) {
    throw new ChildError('too-many-stdio', `A child can have ${highestDescriptor} descriptors, not ${gate}.`);
  }
  await requireDirectory(options.cwd);
  const program = await findProgram(options.command, options.cwd, options.env.PATH);
  const child = await spawnChild(program, options);
  const pid = child.pid as number;
  tolerateStreamErrors(child);
  const leash = posix ? keepLeash(pid) : undefined;
  let gone = false;
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => {
      gone = true;
      if (posix) killTree(pid);
      leash?.release();
      resolve({ code, signal });
    });
  });
  if (leash?.attached === false) throw refused(options.command);
  if (posix) openGate(child, gate);
  const owned: OwnedChild = {
    pid,
    process: child,
    exited,
    stop: (stopOptions) => (gone ? exited : stopChild(owned, stopOptions, clock)),
    kill: () => {
      if (!gone) killTree(pid);
    },
  };
  return owned;
}
