import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock, Ids, StopSignal } from '../../../shared/base/ports.ts';
import { type ChildExit, type OwnedChild, startChild, type StopRequest } from '../../node/child.ts';
import { shellEnvironment } from '../../node/shell-syntax/shell-environment.ts';
import { findShell } from '../../node/shell-syntax/which-shell.ts';
import type { Entered } from '../sandbox/entered.ts';
import { followInside } from '../sandbox/inside-process.ts';
import { infoFd, ownFolder, type SessionSandbox } from '../sandbox/session-sandbox.ts';
import { openOutputPipe, type OutputPipe } from './output-pipe.ts';

/** A command for a shell, where and how long it may run. */
export interface ShellRun {
  readonly command: string;
  readonly dir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Folder for the pipe. */
  readonly scratch: string;
  /** It runs shut in; absent: as the person themselves. */
  readonly sandbox?: Pick<SessionSandbox, 'enter'>;
}

/** How it ended; a command that was ended by us also has the exit that followed. */
export interface ShellEnd {
  readonly why: 'exit' | 'timeout' | 'interrupted';
  readonly exit: ChildExit;
  /** What the sandbox kept out, one clause each. */
  readonly notes: readonly string[];
}

/** Between SIGTERM and SIGKILL. */
const graceMs = 2_000;
/** A process that left the group can hold the pipe open; what comes after the shell's end is waited for this long. */
const drainMs = 500;

interface ShellPorts {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Runs the command in a process group of its own and hands over its output piece by piece, waiting for each to be taken. */
export async function runShell(
  run: ShellRun,
  take: (chunk: Uint8Array) => Promise<void>,
  signal: StopSignal,
  ports: ShellPorts,
): Promise<ShellEnd> {
  return (await startShell(run, take, signal, ports)).ended;
}

/** The same, resolved when the command runs; rejects when it cannot be started. */
export async function startShell(
  run: ShellRun,
  take: (chunk: Uint8Array) => Promise<void>,
  signal: StopSignal,
  { clock, ids }: ShellPorts,
): Promise<{ readonly ended: Promise<ShellEnd> }> {
  const started = await start(run, clock, ids);
  return { ended: untilDrained(started, run.timeoutMs, take, signal, clock) };
}

/** A shell that runs; `terminate` asks it to end, `leave` closes what it ran in. */
interface Started {
  readonly child: OwnedChild;
  readonly output: Readable;
  readonly terminate: StopRequest;
  readonly leave: () => Promise<readonly string[]>;
}

async function untilDrained(
  { child, output, terminate, leave }: Started,
  timeoutMs: number,
  take: (chunk: Uint8Array) => Promise<void>,
  signal: StopSignal,
  clock: Clock,
): Promise<ShellEnd> {
  const taken = drain(output, take);
  const why = await untilEnd(child, terminate, timeoutMs, signal, clock);
  const exit = await child.exited;
  const giveUp = clock.after(drainMs, () => output.destroy());
  const [left] = await Promise.allSettled([leave(), taken]);
  giveUp();
  await taken;
  if (left.status === 'rejected') throw left.reason;
  return { why, exit, notes: left.value };
}

async function start(run: ShellRun, clock: Clock, ids: Ids): Promise<Started> {
  const { dir } = run;
  const environment = shellEnvironment(run.environment);
  const { path, options } = await findShell();
  const command = { program: path, args: [...options, '-c', run.command] };
  const entered = await run.sandbox?.enter(command, { dir, environment });
  try {
    const pipe = await openOutputPipe(await pipeFolder(run.scratch), ids);
    return await startOn(pipe, entered ?? { ...command, env: environment }, dir, clock);
  } catch (error) {
    await entered?.leave();
    throw error;
  }
}

/** Where nothing that runs shut in can put something else in the pipe's place before it is opened. */
async function pipeFolder(scratch: string): Promise<string> {
  const own = join(scratch, ownFolder);
  const isThere = await access(own, constants.W_OK).then(
    () => true,
    () => false,
  );
  return isThere ? own : scratch;
}

type Plain = Pick<Entered, 'program' | 'args' | 'env'>;

async function startOn(pipe: OutputPipe, what: Entered | Plain, cwd: string, clock: Clock): Promise<Started> {
  const { program: command, args, env } = what;
  const stdio = ['ignore', pipe.writeEnd, pipe.writeEnd] as const;
  const filter = 'filter' in what ? what.filter : null;
  const more = filter === null ? [] : ([filter, 'pipe'] as const);
  try {
    const child = await startChild({ command, args, cwd, env, stdio: [...stdio, ...more] }, clock);
    const { output } = pipe;
    const leave = (): Promise<readonly string[]> => ('leave' in what ? what.leave() : Promise.resolve([]));
    if (filter === null) return { child, output, terminate: 'terminate', leave };
    const inside = followInside(child.process.stdio[infoFd] as Readable, child.pid);
    return {
      child,
      output,
      terminate: () => inside.terminate(),
      leave: () => inside.gone(clock).then(leave),
    };
  } catch (error) {
    pipe.output.destroy();
    throw error;
  } finally {
    pipe.release();
  }
}

/** Rejections of `take` are given back once the child can write no more. */
async function drain(output: Readable, take: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  const ended = new Promise<void>((resolve) => output.once('close', resolve));
  let last = Promise.resolve();
  output.on('data', (chunk: Uint8Array) => {
    output.pause();
    last = take(chunk).finally(() => output.resume());
    last.catch(() => undefined);
  });
  await ended;
  await last;
}

async function untilEnd(
  child: OwnedChild,
  terminate: StopRequest,
  timeoutMs: number,
  signal: StopSignal,
  clock: Clock,
): Promise<ShellEnd['why']> {
  let why: ShellEnd['why'] = 'exit';
  const end = (because: ShellEnd['why']): void => {
    if (why !== 'exit') return;
    why = because;
    void child.stop({ graceMs, by: [terminate] });
  };
  const interrupt = (): void => end('interrupted');
  const cancel = clock.after(timeoutMs, () => end('timeout'));
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  await child.exited;
  cancel();
  signal.removeEventListener('abort', interrupt);
  return why;
}
