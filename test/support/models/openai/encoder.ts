import type { FinishReason, ScriptedCall, UsageFigures } from '../script.ts';
import type { Encoder } from '../wire.ts';
import { newId, piecesOf } from '../wire-words.ts';

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  refusal: 'content_filter',
};

function usageOf({ input, output, cacheRead, cacheWrite }: UsageFigures): Record<string, unknown> {
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}

function envelope(model: string, object: string): Record<string, unknown> {
  return { id: newId('chatcmpl-'), object, created: Math.floor(Date.now() / 1000), model };
}

/** The deltas of one call: its name first, then its input piece by piece. */
function* callDeltas(call: Required<ScriptedCall>, index: number, chunk: number): Iterable<unknown> {
  const { id, name, inputText } = call;
  yield { index, id, type: 'function', function: { name, arguments: '' } };
  for (const piece of piecesOf(inputText, chunk)) yield { index, function: { arguments: piece } };
}

function* alternating<Item>(lists: readonly Iterable<Item>[]): Iterable<Item> {
  let iterators = lists.map((list) => list[Symbol.iterator]());
  while (iterators.length > 0) {
    const round = iterators.map((iterator) => ({ iterator, next: iterator.next() }));
    for (const { next } of round) if (next.done !== true) yield next.value;
    iterators = round.flatMap(({ iterator, next }) => (next.done === true ? [] : [iterator]));
  }
}

/** The answer as SSE chunks, ended by `[DONE]`; usage comes only when the request asked for it. */
export function streamEncoder(model: string, includeUsage: boolean): Encoder {
  const base = envelope(model, 'chat.completion.chunk');
  // With include_usage every chunk carries the field, null until the last.
  const rest = includeUsage ? { usage: null } : {};
  const chunkOf = (delta: unknown, finish: string | null = null): string =>
    `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...rest })}\n\n`;
  let sent = 0;
  return {
    contentType: 'text/event-stream; charset=utf-8',
    *start() {
      yield chunkOf({ role: 'assistant', content: '' });
    },
    *text(text, chunk) {
      for (const content of piecesOf(text, chunk)) yield chunkOf({ content });
    },
    *thinking(thinking, _signature, chunk) {
      for (const piece of piecesOf(thinking, chunk)) yield chunkOf({ reasoning_content: piece });
    },
    *calls(calls, chunk, interleaved) {
      const lists = calls.map((call, at) => callDeltas(call, sent + at, chunk));
      sent += calls.length;
      const deltas = interleaved ? alternating(lists) : lists.flatMap((list) => [...list]);
      for (const delta of deltas) yield chunkOf({ tool_calls: [delta] });
    },
    *ping() {
      yield ': keep-alive\n\n';
    },
    *malformed(data) {
      yield `data: ${data}\n\n`;
    },
    error: (type = 'server_error', message) =>
      `data: ${JSON.stringify({ error: { message, type, param: null, code: null } })}\n\n`,
    *finish(reason, usage) {
      yield chunkOf({}, reasons[reason]);
      if (includeUsage) yield `data: ${JSON.stringify({ ...base, choices: [], usage: usageOf(usage) })}\n\n`;
      yield 'data: [DONE]\n\n';
    },
  };
}

/** The answer as one JSON body, given by `finish`. */
export function wholeEncoder(model: string): Encoder {
  let content = '';
  let reasoning = '';
  const toolCalls: unknown[] = [];
  let broken = '';
  return {
    contentType: 'application/json',
    start: () => [],
    text(text) {
      content += text;
      return [];
    },
    thinking(thinking) {
      reasoning += thinking;
      return [];
    },
    calls(calls) {
      for (const { id, name, inputText } of calls) {
        toolCalls.push({ id, type: 'function', function: { name, arguments: inputText } });
      }
      return [];
    },
    ping: () => [],
    malformed(data) {
      broken = data;
      return [];
    },
    error: () => undefined,
    *finish(reason, usage) {
      const message = {
        role: 'assistant',
        content: content === '' && toolCalls.length > 0 ? null : content,
        ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
        ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
      };
      const choices = [{ index: 0, message, logprobs: null, finish_reason: reasons[reason] }];
      yield broken ||
        JSON.stringify({ ...envelope(model, 'chat.completion'), choices, usage: usageOf(usage) });
    },
  };
}
