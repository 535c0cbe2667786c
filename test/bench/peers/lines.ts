import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that speaks lines of JSON on its standard streams. */
export interface LineProgram {
  readonly pid: number;
  say(message: unknown): void;
  /** The next line that fits; rejects when the program ends or after `withinMs`. */
  next(fits: (line: Record<string, unknown>) => boolean, withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Ends a program, at last by force, and waits for it. */
export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(force);
}

function objectOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Programs print other things too.
    return {};
  }
}

/** Starts one. */
export function startLines(
  command: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): LineProgram {
  const child = spawn(command, [...args], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  const listeners = new Set<(line: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    for (const listener of listeners) listener(objectOf(line));
  });
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
  failed.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    say: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    next(fits, withinMs = 60_000) {
      const found = new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no answer within ${withinMs} ms`)), withinMs);
        const listener = (line: Record<string, unknown>): void => {
          if (!fits(line)) return;
          clearTimeout(timer);
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
      return Promise.race([found, failed]);
    },
    stop: () => endProgram(child),
  };
}
