import { type ChildProcess, spawn } from 'node:child_process';
import { errorCode } from '../../../shared/base/errors.ts';
import type { CliContext } from '../context.ts';
import { printable } from '../output/foreign-text.ts';
import { type EarlyEnd, supervisorProgram } from './await-ready.ts';
import { endOf } from './supervisor-output.ts';

/** A supervisor that lives as long as this process: it holds the other end of a pipe of ours. */
export interface Foreground {
  /** `reason` is empty after an orderly end and when it was stopped. */
  readonly ended: Promise<EarlyEnd>;
  /** First call: stop in order. Second: at once. */
  stop(): void;
}

const longestTail = 16 * 1024;

function watchEnd(child: ChildProcess, context: CliContext, loud: boolean): Promise<EarlyEnd> {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-longestTail);
    if (loud) void context.stderr.write(printable(text));
  });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve({ code: 1, reason: `the system refused to start it (${errorCode(error)})` });
    });
    child.once('close', (code, signal) => resolve(endOf(code, signal, () => tail)));
  });
}

/**
 * Starts a supervisor tied to this process, or to the open descriptor `tiedTo`; `loud` passes on what it prints. It leads a process group of its own, so that
 * Ctrl+C reaches it only through `stop`; when this process is killed the pipe closes and it stops in order.
 */
export function startForeground(context: CliContext, loud: boolean, tiedTo?: number): Foreground {
  const child = spawn(process.execPath, [supervisorProgram(context), '--tied-to=3'], {
    cwd: context.home.home,
    env: { ...context.env, KAIROS_HOME: context.home.home },
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'inherit', 'pipe', tiedTo ?? 'pipe'],
  });
  const tie = child.stdio[3];
  // The other side may be gone already; its end is what counts.
  tie?.on('error', () => undefined);
  let asked = false;
  return {
    ended: watchEnd(child, context, loud),
    stop() {
      if (asked || tie === null || tie === undefined) child.kill('SIGTERM');
      else tie.destroy();
      asked = true;
    },
  };
}
