import { access, constants } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Clock, Ids, StopSignal } from '../../../shared/base/ports.ts';
import { type ChildExit, type OwnedChild, startChild } from '../../node/child.ts';
import { openOutputPipe } from './output-pipe.ts';

/** A command for a shell, where and how long it may run. */
export interface ShellRun {
  readonly command: string;
  readonly dir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Folder for the pipe. */
  readonly scratch: string;
}

/** How it ended; a command that was ended by us also has the exit that followed. */
export interface ShellEnd {
  readonly why: 'exit' | 'timeout' | 'interrupted';
  readonly exit: ChildExit;
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
  const { child, output } = await start(run, clock, ids);
  return { ended: untilDrained({ child, output }, run.timeoutMs, take, signal, clock) };
}

async function untilDrained(
  { child, output }: { child: OwnedChild; output: Readable },
  timeoutMs: number,
  take: (chunk: Uint8Array) => Promise<void>,
  signal: StopSignal,
  clock: Clock,
): Promise<ShellEnd> {
  const taken = drain(output, take);
  const why = await untilEnd(child, timeoutMs, signal, clock);
  const exit = await child.exited;
  const giveUp = clock.after(drainMs, () => output.destroy());
  await taken;
  giveUp();
  return { why, exit };
}

async function start(
  run: ShellRun,
  clock: Clock,
  ids: Ids,
): Promise<{ child: OwnedChild; output: Readable }> {
  const pipe = await openOutputPipe(run.scratch, ids);
  try {
    const child = await startChild(
      {
        command: await shell(),
        args: ['-c', run.command],
        cwd: run.dir,
        env: run.environment,
        stdio: ['ignore', pipe.writeEnd, pipe.writeEnd],
      },
      clock,
    );
    return { child, output: pipe.output };
  } catch (error) {
    pipe.output.destroy();
    throw error;
  } finally {
    pipe.release();
  }
}

async function shell(): Promise<string> {
  const bash = '/bin/bash';
  return access(bash, constants.X_OK).then(
    () => bash,
    () => '/bin/sh',
  );
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
  timeoutMs: number,
  signal: StopSignal,
  clock: Clock,
): Promise<ShellEnd['why']> {
  let why: ShellEnd['why'] = 'exit';
  const end = (because: ShellEnd['why']): void => {
    if (why !== 'exit') return;
    why = because;
    void child.stop({ graceMs });
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
