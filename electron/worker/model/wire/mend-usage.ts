import { isObject } from '../../../../shared/base/json.ts';
import type { ModelWire } from '../../../../shared/domain/models.ts';

/** Which counts an answer told in a form that can be used; what it did not tell is estimated. */
export interface Told {
  input: boolean;
  output: boolean;
}

/** More than any model reads or writes in one request; a server that tells more is wrong. */
const mostTokens = 20_000_000;

/**
 * An event's JSON with counts that the provider's reader takes: text that is a number becomes one, what cannot be a count is left
 * out, what that reader insists on is 0. Notes in `told` what was usable. null: nothing has to be changed.
 */
export function mendUsage(
  wire: Exclude<ModelWire, 'offline'>,
  event: Record<string, unknown>,
  told: Told,
): Record<string, unknown> | null {
  if (wire === 'openai') {
    return 'usage' in event ? { ...event, usage: openAiUsage(event['usage'], told) } : null;
  }
  if (event['type'] === 'message_delta') {
    return { ...event, usage: { output_tokens: 0, ...anthropicUsage(event['usage'], told, true) } };
  }
  const { message } = event;
  if (event['type'] !== 'message_start' || !isObject(message)) return null;
  const usage = { input_tokens: 0, ...anthropicUsage(message['usage'], told, false) };
  return { ...event, message: { ...message, usage } };
}

function openAiUsage(usage: unknown, told: Told): Record<string, unknown> | null {
  if (!isObject(usage)) return null;
  const input = countOf(usage['prompt_tokens']);
  const output = countOf(usage['completion_tokens']);
  const details = isObject(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {};
  const cached = countOf(details['cached_tokens']);
  told.input ||= input !== null;
  told.output ||= output !== null;
  return {
    ...(input === null ? {} : { prompt_tokens: input }),
    ...(output === null ? {} : { completion_tokens: output }),
    ...(cached === null ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

const anthropicCounts = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
];

/** The beginning tells an output of 1; only the end's count is one. */
function anthropicUsage(usage: unknown, told: Told, isEnd: boolean): Record<string, number> {
  const from = isObject(usage) ? usage : {};
  const counts = anthropicCounts.flatMap((name): [string, number][] => {
    const count = countOf(from[name]);
    return count === null ? [] : [[name, count]];
  });
  told.input ||= counts.some(([name]) => name === 'input_tokens');
  told.output ||= isEnd && counts.some(([name]) => name === 'output_tokens');
  return Object.fromEntries(counts);
}

function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && count >= 0 && count <= mostTokens ? Math.ceil(count) : null;
}
