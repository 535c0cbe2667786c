import * as z from 'zod/mini';
import { oneLine } from '../../../shared/base/visible-text.ts';
import { failed, type Tool } from '../tools/tool.ts';

const schema = z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) });
const shape = 'UseTool takes {"name": "<tool>", "input": {<the input of that tool>}}';

/**
 * The door to tools that are not named in every request. The model layer turns a well-formed call into one of the inner tool, so
 * that permissions, hooks and the log see that; what arrives here could not be read, and says why.
 */
export function useTool(known: readonly string[]): Tool {
  return {
    name: 'UseTool',
    description: 'Calls a tool that FindTools told about, with the input that its schema asks for.',
    schema,
    hot: true,
    prepare: async (input) => ({
      kind: 'bad',
      message: `UseTool: ${complaint(input, known)} Nothing was done.`,
    }),
    execute: async () => failed(`${shape}. Nothing was done.`),
  };
}

function complaint(input: unknown, known: readonly string[]): string {
  const name = z.object({ name: z.string() }).safeParse(input).data?.name;
  if (name === undefined) return `the name of the tool is missing; ${shape}.`;
  if (name === 'UseTool') return 'it cannot call itself; name the tool that is to run.';
  if (known.includes(name)) return `the input for ${name} must be a JSON object; ${shape}.`;
  const near = known.filter((each) => each.toLowerCase() === name.toLowerCase());
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Look for it with FindTools.';
  return `there is no tool "${oneLine(name, 80)}". ${hint}`;
}
