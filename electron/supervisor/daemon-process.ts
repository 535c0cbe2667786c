import type { Clock } from '../../shared/base/ports.ts';
import {
  type DaemonMessage,
  type SupervisorMessage,
  daemonExit,
  daemonMessageSchema,
} from '../../shared/protocol/supervisor-link.ts';
import { type ChildExit, type OwnedChild, startChild } from '../node/child.ts';
import { maskSecrets } from '../node/mask-secrets.ts';
import type { DaemonEnd, DaemonMode, Failure } from './after-end.ts';

/** A started daemon, seen from its supervisor. */
export interface DaemonHandle {
  readonly pid: number;
  /** Resolves when it is gone with everything of its group; never rejects. */
  readonly ended: Promise<DaemonEnd>;
  /** Asks it to stop, kills it after `graceMs`; resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

/** What to start, in which mode and why, and who listens. */
export interface DaemonStart {
  readonly entry: string;
  readonly home: string;
  readonly mode: DaemonMode;
  /** Why safe mode; undefined in normal mode. */
  readonly reason: string | undefined;
  readonly clock: Clock;
  onMessage(message: DaemonMessage): void;
  /** Whatever the daemon prints to stderr, as it comes. */
  onStderr(text: string): void;
}

const longestTail = 4_096;
const longestReason = 300;

/** One line that can be an argument of a process and a sentence in a message: masked, at most 300 characters. */
function asReason(text: string): string {
  return maskSecrets(text).replaceAll(/\s+/g, ' ').trim().slice(0, longestReason);
}

/** Node prints the error itself on the line that starts with its name; the rest is source and stack. */
function pickErrorLine(stderr: string): string | undefined {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => /^(?:\S*Error|FATAL|#|\[?\w*Error\b.*\]?)[ :[]/.test(line)) ?? lines.at(-1);
}

function describeEnd(exit: ChildExit, failed: Failure | undefined, stderr: string): Failure {
  if (failed !== undefined) return { code: failed.code, reason: asReason(failed.reason) };
  if (exit.code === daemonExit.lockHeld) {
    return { code: 'lock-held', reason: 'Another daemon is already running on this home.' };
  }
  if (exit.code === daemonExit.terminated) {
    return { code: 'terminated', reason: 'A signal that did not come from the supervisor ended the daemon.' };
  }
  const how = exit.signal === null ? `ended with exit code ${exit.code}` : `was killed by ${exit.signal}`;
  const line = pickErrorLine(stderr);
  return {
    code: exit.signal === null ? `exit-${exit.code}` : `signal-${exit.signal}`,
    reason: asReason(line === undefined ? `The daemon ${how}.` : `The daemon ${how}: ${line}`),
  };
}

function daemonArguments(start: DaemonStart): string[] {
  if (start.mode === 'normal') return [start.entry];
  return [start.entry, '--safe', `--reason=${start.reason ?? 'unknown'}`];
}

function watchEnd(child: OwnedChild, start: DaemonStart): Promise<DaemonEnd> {
  let failed: Failure | undefined;
  let stderr = '';
  child.process.on('message', (value) => {
    const message = daemonMessageSchema.safeParse(value);
    if (!message.success) return;
    if (message.data.type === 'failed') failed = message.data;
    start.onMessage(message.data);
  });
  child.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-longestTail);
    start.onStderr(text);
  });
  // Messages and the last lines may still be on their way when the process is gone; `close` comes after them, unless
  // somebody outside its group still holds the pipe.
  const closed = new Promise<void>((resolve) => child.process.once('close', () => resolve()));
  return child.exited.then(async (exit) => {
    const late = new Promise<void>((resolve) => start.clock.after(500, resolve, { keepAlive: false }));
    await Promise.race([closed, late]);
    return { code: exit.code, failure: describeEnd(exit, failed, stderr) };
  });
}

/** Starts the daemon on its leash with a message channel. Throws ChildError when the system refuses. */
export async function startDaemon(start: DaemonStart): Promise<DaemonHandle> {
  const child = await startChild(
    {
      command: process.execPath,
      args: daemonArguments(start),
      cwd: start.home,
      env: { ...process.env, KAIROS_HOME: start.home },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    },
    start.clock,
  );
  const ended = watchEnd(child, start);
  return {
    pid: child.pid,
    ended,
    async stop(graceMs) {
      const message: SupervisorMessage = { type: 'stop', graceMs };
      const ask = (): void => {
        if (child.process.connected) child.process.send(message);
      };
      await child.stop({ graceMs, by: [ask] });
      await ended;
    },
    kill: () => child.kill(),
  };
}
