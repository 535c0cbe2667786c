import { StringDecoder } from 'node:string_decoder';
import { errorMessage, KairosError } from '../../../../shared/base/errors.ts';
import type { Clock, StopSignal } from '../../../../shared/base/ports.ts';
import { type OwnedChild, startChild } from '../../../node/child.ts';

/** A search, where it starts, what ends a record of its output, and who takes them: false = enough. */
export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly separator: '\0' | '\n';
  readonly take: (record: string) => boolean;
}

/** How it ended. `complaint`: the beginning of what it said on stderr. */
export interface RipgrepEnd {
  readonly why: 'done' | 'enough' | 'timeout' | 'interrupted';
  readonly code: number | null;
  readonly complaint: string;
}

/** A search that takes longer is ended, ms; what it found so far counts. */
export const searchTimeoutMs = 30_000;
const graceMs = 500;
const longestComplaint = 4_000;
/** A record that does not end is cut here. */
const longestRecord = 1024 * 1024;

/** Nobody's configuration changes what a search finds; links are not followed, so that it stays where it was allowed. */
const fixed = [
  '--no-config',
  '--no-follow',
  '--hidden',
  '--no-ignore-global',
  '--color=never',
  '--no-ignore-messages',
  // A pattern made for it fills 1 GB with ripgrep's own limits (and takes three times as long); ordinary ones need less than 1 MB.
  '--regex-size-limit=32M',
  '--dfa-size-limit=32M',
];

/**
 * Runs ripgrep and hands over its records until there are enough. Throws KairosError `no_ripgrep` where its program is missing,
 * and the errors of `startChild`.
 */
export async function runRipgrep(run: RipgrepRun, signal: StopSignal, clock: Clock): Promise<RipgrepEnd> {
  const mark = process.env.KAIROS_RUN;
  const child = await startChild(
    {
      command: await ripgrepProgram(),
      args: [...fixed, ...run.args],
      cwd: run.cwd,
      env: mark === undefined ? {} : { KAIROS_RUN: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
    clock,
  );
  let why: RipgrepEnd['why'] = 'done';
  const end = (because: RipgrepEnd['why']): void => {
    if (why !== 'done') return;
    why = because;
    void child.stop({ graceMs });
  };
  const interrupt = (): void => end('interrupted');
  const cancel = clock.after(searchTimeoutMs, () => end('timeout'));
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  const complaint = keepComplaint(child);
  await takeRecords(child, run, () => end('enough'));
  const { code } = await child.exited;
  cancel();
  signal.removeEventListener('abort', interrupt);
  return { why, code, complaint: complaint.text };
}

/** Path of ripgrep's program. Loaded when something is searched: its package throws where it is not installed for this system. */
export async function ripgrepProgram(
  load: () => Promise<{ readonly rgPath: string }> = () => import('@vscode/ripgrep'),
): Promise<string> {
  try {
    return (await load()).rgPath;
  } catch (cause) {
    const message = `ripgrep is not installed for this system (${errorMessage(cause)}). Run "npm ci" where Kairos is installed; until then search with Bash: grep, find.`;
    throw new KairosError('no_ripgrep', message, { cause });
  }
}

function keepComplaint(child: OwnedChild): { readonly text: string } {
  const kept = { text: '' };
  child.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    kept.text = (kept.text + text).slice(0, longestComplaint);
  });
  return kept;
}

function takeRecords(child: OwnedChild, run: RipgrepRun, enough: () => void): Promise<void> {
  const { stdout } = child.process;
  if (stdout === null) return Promise.resolve();
  const decoder = new StringDecoder('utf8');
  let open = '';
  let isEnough = false;
  const take = (record: string): void => {
    isEnough = isEnough || !run.take(record);
    if (isEnough) enough();
  };
  stdout.on('data', (chunk: Buffer) => {
    if (isEnough) return;
    const records = (open + decoder.write(chunk)).split(run.separator);
    open = (records.pop() ?? '').slice(0, longestRecord);
    for (const record of records) if (!isEnough) take(record);
  });
  return new Promise((resolve) => {
    stdout.once('close', () => {
      if (open !== '' && !isEnough) take(open);
      resolve();
    });
  });
}
