import type { CliContext } from '../context.ts';
import { printable } from './foreign-text.ts';
import { type ExitCode, exit } from '../exit.ts';

/** One line of JSON; control characters that JSON leaves as they are (a terminal may obey U+009B) are escaped too. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
}

/** Prints one JSON value as one line to stdout. */
export async function printJson(context: CliContext, value: unknown): Promise<ExitCode> {
  await context.stdout.write(`${jsonLine(value)}\n`);
  return exit.done;
}

function lines(text: string): string {
  return printable(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints lines to stdout. */
export async function printText(context: CliContext, text: string): Promise<ExitCode> {
  await context.stdout.write(lines(text));
  return exit.done;
}

/** Prints what is not the command's result to stderr. */
export async function notice(context: CliContext, text: string): Promise<void> {
  await context.stderr.write(lines(text));
}
