import { KairosError } from '../../../shared/base/errors.ts';
import type { Clock, Ids } from '../../../shared/base/ports.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { FactsAnswer, FactsJob } from '../../../shared/protocol/facts-job.ts';
import { SessionSandbox } from '../sandbox/session-sandbox.ts';
import { createSessionTools } from '../tools/session-tools.ts';
import type { ToolContext } from '../tools/tool.ts';
import { allTools } from '../tools/tool-table.ts';

/** Tools that change a file; what a rule says about one follows from its path, so they are looked at without a content. */
const changing: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit']);

/** The input that a text stands for, by tool; a tool that is not here needs its input as JSON. */
const inputOf: Readonly<Record<string, (text: string) => unknown>> = {
  Bash: (command) => ({ command }),
  Read: (file_path) => ({ file_path }),
  Glob: (path) => ({ pattern: '**', path }),
  Grep: (path) => ({ pattern: '.', path }),
  WebFetch: (url) => ({ url }),
};

/** The facts of a call that nobody makes, gathered by the very code that gathers those of real ones. Nothing is run. */
export async function gatherFacts(
  job: FactsJob,
  ports: { readonly clock: Clock; readonly ids: Ids },
): Promise<FactsAnswer> {
  const { tool, input } = job;
  const tools = createSessionTools(allTools, contextOf(job, ports));
  if (input.kind === 'json') return tools.prepare({ id: 'explained', tool, input: input.value });
  const prepare = (name: string, made: unknown): Promise<FactsAnswer> =>
    tools.prepare({ id: 'explained', tool: name, input: made });
  if (changing.has(tool)) return ofChange(job, await prepare('Read', { file_path: input.text }));
  const made = inputOf[tool];
  if (made === undefined && allTools.some(({ name }) => name === tool))
    return { kind: 'bad', message: `Give the input of ${tool} as JSON.` };
  return prepare(tool, made?.(input.text) ?? {});
}

function ofChange({ tool }: FactsJob, found: FactsAnswer): FactsAnswer {
  if (found.kind === 'bad') return found;
  const facts: CallFacts = { ...found.facts, tool, class: 'blind', access: 'write' };
  return { kind: 'ready', facts };
}

function contextOf(
  { dir, home, scratch, sandbox }: FactsJob,
  ports: { clock: Clock; ids: Ids },
): ToolContext {
  const refuse = (): Promise<never> =>
    Promise.reject(new KairosError('not_allowed', 'Nothing is run to explain a rule.'));
  return {
    ...ports,
    dir,
    home,
    scratch,
    environment: refuse,
    sandbox: new SessionSandbox({
      config: () => Promise.resolve(sandbox),
      home,
      scratch,
      ids: ports.ids,
    }),
    tasks: { running: [], start: refuse, stop: refuse },
    putBlob: refuse,
    keepFile: refuse,
    history: { search: refuse },
  };
}
