import { isObject } from '../../../../shared/base/json.ts';
import type { CallPart } from '../../../../shared/domain/messages.ts';

/** The tool through which the model reaches those that its frame does not name. */
const useTool = 'UseTool';

/** Ids of calls are made of the step's id, so that a repeated request gives the same ones; fits every wire (40 characters). */
export function callId(step: string, index: number): string {
  return `cal_${step.replace(/^stp_/, '')}_${index}`;
}

/**
 * A call as it is stored. `input` is what the JSON said, or its raw text when it is no JSON: then it stays a string, which no
 * tool takes. A well-formed `UseTool` becomes the call of the tool it names.
 */
export function callPart(id: string, tool: string, input: unknown): CallPart {
  const inner = tool === useTool ? innerCall(input) : null;
  return inner === null ? { type: 'call', id, tool, input } : { type: 'call', id, ...inner, via: useTool };
}

function innerCall(input: unknown): { readonly tool: string; readonly input: unknown } | null {
  if (!isObject(input)) return null;
  const { name, input: given = {} } = input;
  if (typeof name !== 'string' || name === '' || name === useTool || !isObject(given)) return null;
  return { tool: name, input: given };
}
