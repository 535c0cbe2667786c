import type { FinishReason, UsageFigures } from '../script.ts';
import type { Encoder } from '../wire.ts';
import { newId, piecesOf } from '../wire-words.ts';

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
};

/** One server-sent event of this wire: named after its type. */
export function event(type: string, data: Readonly<Record<string, unknown>> = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function usageOf(usage: UsageFigures): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
  };
}

function openingUsage(usage: UsageFigures): Record<string, unknown> {
  return {
    ...usageOf({ ...usage, output: Math.min(1, usage.output) }),
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
  };
}

function messageOf(model: string): Record<string, unknown> {
  return {
    id: newId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

/** The answer as server-sent events. A block stays open until another one begins or the answer ends. */
export function streamEncoder(model: string): Encoder {
  let index = -1;
  let open: string | undefined;
  const close = function* (): Iterable<string> {
    if (open !== undefined) yield event('content_block_stop', { index });
    open = undefined;
  };
  const begin = function* (block: Readonly<Record<string, unknown>>): Iterable<string> {
    yield* close();
    index += 1;
    open = String(block['type']);
    yield event('content_block_start', { index, content_block: block });
    if (index === 0) yield event('ping');
  };
  const delta = (value: Readonly<Record<string, unknown>>): string =>
    event('content_block_delta', { index, delta: value });
  return {
    contentType: 'text/event-stream; charset=utf-8',
    *start(usage) {
      yield event('message_start', { message: { ...messageOf(model), usage: openingUsage(usage) } });
    },
    *text(text, chunk) {
      if (open !== 'text') yield* begin({ type: 'text', text: '' });
      for (const piece of piecesOf(text, chunk)) yield delta({ type: 'text_delta', text: piece });
    },
    *thinking(thinking, signature, chunk) {
      yield* begin({ type: 'thinking', thinking: '', signature: '' });
      for (const piece of piecesOf(thinking, chunk)) yield delta({ type: 'thinking_delta', thinking: piece });
      if (signature !== undefined) yield delta({ type: 'signature_delta', signature });
    },
    *calls(calls, chunk) {
      for (const { id, name, inputText } of calls) {
        yield* begin({ type: 'tool_use', id, name, input: {} });
        yield delta({ type: 'input_json_delta', partial_json: '' });
        for (const piece of piecesOf(inputText === '{}' ? '' : inputText, chunk)) {
          yield delta({ type: 'input_json_delta', partial_json: piece });
        }
      }
    },
    *ping() {
      yield event('ping');
    },
    *malformed(data) {
      yield `event: content_block_delta\ndata: ${data}\n\n`;
    },
    error: (type = 'overloaded_error', message) => event('error', { error: { type, message } }),
    *finish(reason, usage) {
      yield* close();
      const change = { stop_reason: reasons[reason], stop_sequence: null };
      yield event('message_delta', { delta: change, usage: usageOf(usage) });
      yield event('message_stop');
    },
  };
}

function parsed(inputText: string): unknown {
  try {
    return JSON.parse(inputText) as unknown;
  } catch {
    // A whole answer cannot carry broken JSON inside; the nearest thing is an input that is no object.
    return inputText;
  }
}

/** The answer as one JSON body, given by `finish`. */
export function wholeEncoder(model: string): Encoder {
  const content: Record<string, unknown>[] = [];
  let broken = '';
  return {
    contentType: 'application/json',
    start: () => [],
    text(text) {
      const last = content.at(-1);
      if (last?.['type'] === 'text') last['text'] = `${last['text']}${text}`;
      else content.push({ type: 'text', text });
      return [];
    },
    thinking(thinking, signature) {
      content.push({ type: 'thinking', thinking, signature });
      return [];
    },
    calls(calls) {
      for (const { id, name, inputText } of calls) {
        content.push({ type: 'tool_use', id, name, input: parsed(inputText) });
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
      const ended = { stop_reason: reasons[reason], usage: { ...openingUsage(usage), ...usageOf(usage) } };
      yield broken || JSON.stringify({ ...messageOf(model), content, ...ended });
    },
  };
}
