import { homedir } from 'node:os';
import { errorCode } from '../../../shared/base/errors.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import { type OwnedChild, startChild } from '../../node/child.ts';

/** The key that a command printed, or one clause why there is none; never anything that it printed besides. */
export type PrintedKey =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'none'; readonly why: string };

/** Runs the person's own program that prints a key. */
export type RunKeyCommand = (command: readonly string[]) => Promise<PrintedKey>;

const timeoutMs = 10_000;
/** Between SIGTERM and SIGKILL. */
const stopGraceMs = 1_000;
/** Longer than any key; what prints more is no key program. */
const longestKey = 64 * 1024;

/** What a key program is run with: the person's environment, read when it is first needed. */
export interface KeyCommandPorts {
  readonly clock: Clock;
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
}

/** Runs a key program without a shell, in the person's home and environment, for at most 10 s; its output is trimmed. Never rejects. */
export function keyCommandRunner({ clock, environment }: KeyCommandPorts): RunKeyCommand {
  return async ([command = '', ...args]) => {
    let child: OwnedChild;
    try {
      const env = await environment();
      child = await startChild(
        { command, args, cwd: homedir(), env, stdio: ['ignore', 'pipe', 'ignore'] },
        clock,
      );
    } catch (error) {
      return { kind: 'none', why: `the key command could not be started (${errorCode(error)})` };
    }
    return readKey(child, clock);
  };
}

async function readKey(child: OwnedChild, clock: Clock): Promise<PrintedKey> {
  let output = '';
  let fault: string | null = null;
  const giveUp = (why: string): void => {
    fault ??= why;
    void child.stop({ graceMs: stopGraceMs });
  };
  const cancel = clock.after(timeoutMs, () =>
    giveUp(`the key command did not end within ${timeoutMs / 1000} s`),
  );
  const ended = new Promise<void>((resolve) => child.process.once('close', () => resolve()));
  child.process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (output.length > longestKey) giveUp('the key command printed more than a key');
  });
  // What it left behind may hold the pipe open: its own end is what counts.
  const { code, signal } = await child.exited;
  child.process.stdout?.destroy();
  await ended;
  cancel();
  if (fault !== null) return { kind: 'none', why: fault };
  if (code !== 0) return { kind: 'none', why: `the key command ended with ${signal ?? `code ${code}`}` };
  return checkKey(output.trim());
}

function checkKey(key: string): PrintedKey {
  if (key === '') return { kind: 'none', why: 'the key command printed nothing' };
  // Header values hold visible ASCII only; anything else would be refused there in a way that nobody understands.
  if (!/^[\x21-\x7E]+$/.test(key)) {
    return {
      kind: 'none',
      why: 'the key command printed something that is no key (spaces, lines or letters beyond ASCII)',
    };
  }
  return { kind: 'key', key };
}
