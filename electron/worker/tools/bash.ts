import * as z from 'zod/mini';
import { KairosError } from '../../../shared/base/errors.ts';
import { oneLine, visibleText } from '../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { boundary } from '../../node/boundary.ts';
import { commandFacts } from './command-facts.ts';
import { OutputCollector } from './output-collector.ts';
import { realDirectory } from './places.ts';
import { runShell, type ShellEnd, type ShellRun } from './run-shell.ts';
import { sandboxFacts } from './shut-in.ts';
import { SpillFile } from './spill-file.ts';
import { defineTool, failed, ok, type ToolContext } from './tool.ts';

const defaultTimeoutMs = 120_000;
const longestTimeoutMs = 600_000;
/** Linux takes no longer argument (MAX_ARG_STRLEN, with the closing NUL). */
const longestCommand = 128 * 1024 - 1;

const longestTitle = 200;

const schema = z.object({
  command: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
  timeout: z.optional(z.number().check(z.positive(), z.lte(longestTimeoutMs))),
  run_in_background: z.optional(z.boolean()),
});

/** Runs a shell command to its end, output cut in the middle and the whole of it kept in a spill file; or lets it go on as a task. */
export const bashTool = defineTool({
  name: 'Bash',
  description:
    'Runs a command with bash in the session directory and returns stdout and stderr together. No input; each call is a new shell. timeout in ms (default 120000, at most 600000). Long output is cut in the middle, the whole is kept in a file. run_in_background: returns at once, output goes to a file, you are told when it ends (servers, long builds); TaskStop lists and stops such tasks.',
  schema,
  hot: true,
  class: 'blind',
  access: 'command',
  async look({ command, description = '', run_in_background: stays = false }, context) {
    if (command.trim() === '') return 'the command is empty';
    if (command.includes('\0')) return 'the command contains a NUL character, which no shell can run';
    if (Buffer.byteLength(command) > longestCommand)
      return 'the command is longer than 128 KB, which no shell takes; write it to a file and run that';
    const place = await realDirectory(context);
    if (typeof place === 'string') return place;
    const shell = await commandFacts(command, place.cwd, context);
    const shut = await sandboxFacts({ subject: command, shell }, place.cwd, context);
    if (typeof shut === 'string') return shut;
    const lines = [command, stays ? '[goes on in the background]' : '', shut.line].filter(
      (line) => line !== '',
    );
    const preview = visibleText(lines.join('\n'));
    return {
      ...place,
      subject: command,
      paths: [],
      preimages: [],
      preview,
      description,
      shell,
      ...shut.facts,
    };
  },
  async act(input, facts, context, signal, call) {
    if (input.run_in_background === true) return startTask(input, facts, context, call);
    const { command, timeout = defaultTimeoutMs } = input;
    const environment = await context.environment();
    const collector = new OutputCollector(new SpillFile(context.scratch, context.ids));
    boundary('tool.execute', 'before');
    const end = await shellOrRefusal(
      {
        command,
        dir: facts.cwd,
        environment,
        timeoutMs: timeout,
        scratch: context.scratch,
        ...sandboxOf(facts, context),
      },
      (chunk) => collector.add(chunk),
      signal,
      context,
    );
    boundary('tool.execute', 'after');
    if (typeof end === 'string') return failed(end);
    return result(end, timeout, await collector.finish(), facts);
  },
});

/** A sandbox that is gone since the decision is no fault: nothing ran, and the model reads why. */
async function shellOrRefusal(...run: Parameters<typeof runShell>): Promise<ShellEnd | string> {
  try {
    return await runShell(...run);
  } catch (error) {
    if (!(error instanceof KairosError) || (error.code !== 'no_sandbox' && error.code !== 'no_place'))
      throw error;
    return `Bash: did not run. ${[error.message, error.next].filter((text) => text !== undefined).join(' ')}`;
  }
}

/** What was decided as shut in runs shut in or not at all. */
function sandboxOf({ sandboxed }: CallFacts, { sandbox }: ToolContext): Pick<ShellRun, 'sandbox'> {
  return sandboxed === true ? { sandbox } : {};
}

async function startTask(
  { command, timeout }: z.infer<typeof schema>,
  facts: CallFacts,
  context: ToolContext,
  call: string,
): Promise<CallResult> {
  const environment = await context.environment();
  boundary('tool.execute', 'before');
  const started = await context.tasks.start({
    call,
    command,
    title: oneLine(command, longestTitle),
    dir: facts.cwd,
    environment,
    ...sandboxOf(facts, context),
    ...(timeout === undefined ? {} : { limitMs: timeout }),
  });
  boundary('tool.execute', 'after');
  if (typeof started === 'string') return failed(`Bash: ${started}.`);
  const { id, output } = started;
  return ok(
    `Runs in the background as ${id}; output: ${output}. You are told when it ends; TaskStop stops it.`,
  );
}

type Output = Awaited<ReturnType<OutputCollector['finish']>>;

function result(end: ShellEnd, timeoutMs: number, output: Output, { sandboxed }: CallFacts): CallResult {
  const note = endNote(end, timeoutMs);
  const shut = note !== '' && sandboxed === true ? `${note}; it ran in the sandbox` : note;
  const notes = [shut, ...end.notes].filter((line) => line !== '').map((line) => `[${line}]`);
  const { text, spill } = output;
  const gap = notes.length === 0 || text === '' || text.endsWith('\n') ? '' : '\n';
  const outcome = end.why === 'interrupted' ? 'interrupted' : note === '' ? 'ok' : 'error';
  return {
    outcome,
    output: `${text}${gap}${notes.join('\n')}`,
    ...(spill === null ? {} : { spill }),
  };
}

function endNote({ why, exit }: ShellEnd, timeoutMs: number): string {
  if (why === 'timeout') return `stopped after its time-out of ${timeoutMs / 1000} s`;
  if (why === 'interrupted') return 'stopped by an interrupt';
  if (exit.signal !== null) return `ended by signal ${exit.signal}`;
  return exit.code === 0 ? '' : `exit code ${exit.code}`;
}
