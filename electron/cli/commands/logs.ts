import { watch } from 'node:fs';
import type { Arguments, RunCommand } from '../arguments/command-spec.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { type Paint, painter } from '../output/paint.ts';
import { jsonLine } from '../output/print.ts';
import { localTime } from '../output/times.ts';
import { type LogLine, type LogReader, inOrder, logFiles, logReader } from '../process/log-lines.ts';

const defaultLines = 100;
/** Where the system cannot watch a folder, it is looked at this often, ms. */
const lookAgainMs = 500;
const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const shownElsewhere = new Set(['level', 'time', 'pid', 'msg', 'hostname']);

function seconds(at: number): string {
  return `${localTime(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`;
}

/** The traces of crashes have several lines: those that follow are set in, so that none of them looks like an entry of its own. */
function message(msg: unknown): string {
  return String(msg ?? '')
    .split('\n')
    .map(foreignLine)
    .join('\n    ');
}

function pretty({ source, at, text, fields }: LogLine, paint: Paint): string {
  if (fields === undefined) return `${paint('muted', foreignLine(source))} ${foreignLine(text)}`;
  const level = levels[Number(fields.level)] ?? 'info';
  const tone = level === 'error' || level === 'fatal' ? 'bad' : level === 'warn' ? 'asking' : 'muted';
  const rest = Object.entries(fields)
    .filter(([name]) => !shownElsewhere.has(name))
    .map(([name, value]) =>
      foreignLine(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
    );
  const more = rest.length === 0 ? '' : paint('muted', `  ${rest.join(' ')}`);
  return `${paint('muted', seconds(at))} ${paint(tone, level.padEnd(5))} ${foreignLine(source)}: ${message(fields.msg)}${more}`;
}

async function print(context: CliContext, args: Arguments, lines: readonly LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  const paint = painter(context.stdout, context.env);
  const texts = lines.map((line) =>
    args.flag('json')
      ? jsonLine({ source: line.source, ...(line.fields ?? { msg: line.text }) })
      : pretty(line, paint),
  );
  await context.stdout.write(`${texts.join('\n')}\n`);
}

/** Resolves when the folder may have changed, or a signal came. */
function nextChange(context: CliContext, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = context.clock.after(lookAgainMs, () => done());
    let close = (): void => undefined;
    const done = (): void => {
      cancel();
      close();
      resolve();
    };
    stopped.addEventListener('abort', done, { once: true });
    try {
      const watcher = watch(context.home.logsDir, done);
      watcher.on('error', done);
      close = () => watcher.close();
    } catch {
      // The time limit above looks again.
    }
  });
}

async function follow(
  context: CliContext,
  args: Arguments,
  readers: Map<string, LogReader>,
): Promise<ExitCode> {
  const abort = new AbortController();
  const cancel = context.onSignal(() => abort.abort());
  while (!abort.signal.aborted && !context.stdout.closed) {
    await nextChange(context, abort.signal);
    await print(context, args, readAll(context, readers));
  }
  cancel();
  return exit.done;
}

function readAll(context: CliContext, readers: Map<string, LogReader>): LogLine[] {
  for (const path of logFiles(context.home.logsDir)) {
    if (!readers.has(path)) readers.set(path, logReader(path));
  }
  return inOrder([...readers.values()].map((reader) => reader.readNew()));
}

/** `kairos logs`: the last lines of every log of this home in order of time; works without a daemon. */
export const run: RunCommand = async (context, args) => {
  const readers = new Map<string, LogReader>();
  const lines = readAll(context, readers);
  if (lines.length === 0 && !args.flag('follow')) {
    const message = `There are no logs in ${context.home.logsDir} yet.`;
    throw new CommandFailure(exit.failed, message, 'They begin with: kairos daemon start');
  }
  await print(context, args, lines.slice(-Math.ceil(args.number('lines') ?? defaultLines)));
  return args.flag('follow') ? follow(context, args, readers) : exit.done;
};
