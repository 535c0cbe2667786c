import { oneLine } from '../../../shared/base/visible-text.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { longest } from '../../../shared/protocol/worker-link.ts';
import type { Prepared, ToolPort } from '../agent/ports.ts';
import { brokenInputText } from './bad-input.ts';
import { fitResult, jsonBytes } from './fit-frame.ts';
import type { Tool, ToolContext } from './tool.ts';

/** The tools of one session behind the loop's port: what is not among them cannot be called. */
export function createSessionTools(tools: readonly Tool[], context: ToolContext): ToolPort {
  const table = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    async prepare(call): Promise<Prepared> {
      const tool = table.get(call.tool);
      if (tool === undefined) return { kind: 'bad', message: unknownTool(call.tool, tools) };
      // What the model sent was no JSON: its raw text.
      if (typeof call.input === 'string')
        return { kind: 'bad', message: brokenInputText(call.tool, call.input) };
      const prepared = await tool.prepare(call.input, context);
      return prepared.kind === 'ready' ? fitting(prepared.facts) : prepared;
    },
    async execute({ facts, call, hidden }, signal) {
      const tool = table.get(facts.tool);
      if (tool === undefined) return { outcome: 'error', output: unknownTool(facts.tool, tools) };
      if (signal.aborted) return { outcome: 'interrupted', output: 'Stopped before it began.' };
      return fitResult(await tool.execute(facts, { ...context, hidden }, signal, call.id));
    },
  };
}

/** Which tools there are, and which of them no request names. */
function unknownTool(name: string, tools: readonly Tool[]): string {
  const listed = tools.filter(({ otherName }) => otherName !== true);
  const names = (hot: boolean): string =>
    listed.flatMap((tool) => (tool.hot === hot ? [tool.name] : [])).join(', ');
  const found = names(false);
  const more = found === '' ? '' : ` Through UseTool: ${found} (FindTools shows how).`;
  return `There is no tool "${oneLine(name, 80)}". There is: ${names(true)}.${more}`;
}

/** What cannot be shown whole cannot be allowed. */
function fitting(facts: CallFacts): Prepared {
  const bytes = jsonBytes(facts);
  if (bytes <= longest.facts) return { kind: 'ready', facts };
  const [size, most] = [bytes, longest.facts].map((count) => `${Math.ceil(count / 1024)} KB`);
  return {
    kind: 'bad',
    message: `${facts.tool}: the input is too large (${size} with what the person has to see; at most ${most}). Do it in smaller parts.`,
  };
}
