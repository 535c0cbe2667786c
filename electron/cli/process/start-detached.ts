import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../../shared/base/errors.ts';
import type { DaemonFile } from '../../../shared/protocol/bridge.ts';
import { openHome } from '../../node/home.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { safeModeWords, splitReason } from '../../../shared/protocol/safe-mode.ts';
import { hint, reasonHere } from '../output/own-name.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { type EndOfSupervisor, awaitReady, stoppedMeanwhile, supervisorProgram } from './await-ready.ts';
import { findRunning } from './find-running.ts';
import { endOf } from './supervisor-output.ts';

/** What the supervisor prints; its own log is a rotated file beside it, so this one stays small. */
const outputName = 'supervisor-output.log';
const largestOutput = 1024 * 1024;

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

function readFrom(descriptor: number, offset: number): string {
  const length = Math.min(64 * 1024, Math.max(0, fstatSync(descriptor).size - offset));
  const buffer = Buffer.alloc(length);
  return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, length, offset));
}

/** A supervisor of our own that outlives this process; `ended` resolves with the reason when it ends again. */
interface OwnSupervisor {
  readonly pid: number | undefined;
  readonly ended: EndOfSupervisor;
  /** Ends it in order and resolves when it is gone. */
  giveUp(): Promise<void>;
  letGo(): void;
}

function spawnSupervisor(context: CliContext, program: string): OwnSupervisor {
  const path = join(context.home.logsDir, outputName);
  const output = openSync(path, sizeOf(path) > largestOutput ? 'w+' : 'a+', 0o600);
  const offset = fstatSync(output).size;
  const child = spawn(process.execPath, [program], {
    cwd: context.home.home,
    env: { ...context.env, KAIROS_HOME: context.home.home },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output],
  });
  const ended: EndOfSupervisor = new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ code: 1, reason: `the system refused to start it (${errorCode(error)})` }),
    );
    child.once('exit', (code, signal) => resolve(endOf(code, signal, () => readFrom(output, offset))));
  });
  const letGo = (): void => {
    child.removeAllListeners();
    child.unref();
    closeSync(output);
  };
  const giveUp = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { pid: child.pid, ended, giveUp, letGo };
}

/** A daemon that is ready, and whether it had been running before. */
export interface Started {
  readonly daemon: DaemonFile;
  readonly attached: boolean;
}

/** Makes sure that a daemon runs on this home, detached from this terminal. Throws CommandFailure, HomeError. */
export async function startDetached(context: CliContext): Promise<Started> {
  openHome(context.env);
  const running = await findRunning(context);
  if (running !== undefined) return { daemon: running, attached: true };
  const own = spawnSupervisor(context, supervisorProgram(context));
  try {
    const daemon = await awaitReady(context, own.ended);
    const attached = daemon.supervisorPid !== own.pid;
    // Another start won. Ours must not be there to take the lock when the winner is stopped a moment later.
    if (attached) await own.giveUp();
    return { daemon, attached };
  } finally {
    own.letGo();
  }
}

/** What `--json` adds about a daemon in safe mode, so that a script can tell it from one that works: `{safe: true, reason}`. */
export function safeFacts({ safe }: DaemonFile, program: string): { safe?: true; reason?: string } {
  return safe === null ? {} : { safe: true, reason: reasonHere(safe, program) };
}

/** The warning that belongs to a start in safe mode. Throws nothing. */
export function safeModeNote(daemon: DaemonFile, program: string): string | undefined {
  if (daemon.safe === null) return undefined;
  const { why, next } = safeModeWords(daemon.safe);
  return `Kairos runs in safe mode, without sessions: ${foreignLine(why)} ${hint(program, foreignLine(next))}`;
}

/** The failure of a foreground supervisor that ended by itself. */
export function endedFailure(reason: string): CommandFailure {
  if (reason === '') return stoppedMeanwhile();
  const { why, next } = splitReason(reason);
  return new CommandFailure(exit.failed, `Kairos stopped: ${why}`, next ?? 'See: kairos daemon logs');
}
