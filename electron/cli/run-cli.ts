import { assertNever } from '../../shared/base/assert-never.ts';
import { KairosError, errorCode, errorMessage } from '../../shared/base/errors.ts';
import { helpOn } from './arguments/help.ts';
import { parseCommandLine } from './arguments/parse.ts';
import { commandTable } from './command-table.ts';
import type { CliContext } from './context.ts';
import { type ExitCode, exit } from './exit.ts';
import { CommandFailure, usageFailure } from './failure.ts';
import { foreignLine } from './output/foreign-text.ts';
import { hint } from './output/own-name.ts';
import { painter } from './output/paint.ts';

async function showHelp(context: CliContext, topic: string): Promise<ExitCode> {
  const text = helpOn(topic, commandTable, { program: context.program, columns: context.stdout.columns });
  if (text === undefined)
    throw usageFailure(`There is no command "${topic.slice(0, 40)}".`, 'See: kairos --help');
  await context.stdout.write(text);
  return exit.done;
}

async function showVersion(context: CliContext, json: boolean): Promise<ExitCode> {
  const version = context.version();
  await context.stdout.write(json ? `${JSON.stringify({ version })}\n` : `kairos ${version}\n`);
  return exit.done;
}

async function dispatch(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const request = parseCommandLine(argv, commandTable);
  switch (request.kind) {
    case 'help':
      return showHelp(context, request.topic);
    case 'version':
      return showVersion(context, request.json);
    case 'run': {
      const { run } = await request.command.load();
      return run(context, request.args);
    }
    default:
      return assertNever(request, 'request');
  }
}

/** One sentence, then what to do. A fault nobody foresaw gives its message and code, never a stack. */
function failureText(error: unknown, program: string): string {
  if (error instanceof KairosError)
    return error.next === undefined ? error.message : `${error.message} ${hint(program, error.next)}`;
  const code = errorCode(error);
  const named = code === 'internal' ? '' : ` (${code})`;
  return `Something went wrong${named}: ${errorMessage(error)} Look with: ${program} doctor`;
}

/** Runs one command line to its end and gives its exit code; everything it had to say has been written. Never rejects. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  try {
    return await dispatch(argv, context);
  } catch (error) {
    const paint = painter(context.stderr, context.env);
    await context.stderr
      .write(`${paint('bad', foreignLine(failureText(error, context.program)))}\n`)
      .catch(() => undefined);
    return error instanceof CommandFailure ? error.exit : exit.failed;
  }
}
