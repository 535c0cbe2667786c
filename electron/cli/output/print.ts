import type { CliContext } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';

/** Prints one JSON value as one line to stdout. */
export async function printJson(context: CliContext, value: unknown): Promise<ExitCode> {
  await context.stdout.write(`${JSON.stringify(value)}\n`);
  return exit.done;
}

/** Prints lines to stdout. */
export async function printText(context: CliContext, text: string): Promise<ExitCode> {
  await context.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return exit.done;
}

/** Prints what is not the command's result to stderr. */
export async function notice(context: CliContext, text: string): Promise<void> {
  await context.stderr.write(text.endsWith('\n') ? text : `${text}\n`);
}
