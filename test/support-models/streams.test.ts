import { expect, test } from 'vitest';
import {
  type Script,
  brokenCall,
  call,
  calls,
  finish,
  interleavedCalls,
  ping,
  text,
  thinking,
  usage,
} from '../support/models/script.ts';
import { eventsOf, post } from './support/clients.ts';
import { serving } from './support/serving.ts';

test('the whole Anthropic stream, event by event', async () => {
  const server = await serving('anthropic', [
    usage({ input: 11, output: 22, cacheRead: 33, cacheWrite: 44 }),
    thinking('Hm', { signature: 'sig' }),
    text('Hello', { chunk: 3 }),
    ping(),
    calls(call('A', {}, 't1'), brokenCall('B', '{"x', 't2')),
  ]);
  const response = await post(server, { stream: true });
  const stream = await response.text();
  const names = stream.split('\n').flatMap((line) => (line.startsWith('event: ') ? [line.slice(7)] : []));
  const events = eventsOf(stream);
  const counts = { cache_read_input_tokens: 33, cache_creation_input_tokens: 44, input_tokens: 11 };
  expect(names).toEqual(events.map((event) => (event as { type: string }).type));
  expect(events.slice(1)).toEqual([
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hel' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'lo' } },
    { type: 'ping' },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 't1', name: 'A', input: {} },
    },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '' } },
    { type: 'content_block_stop', index: 2 },
    {
      type: 'content_block_start',
      index: 3,
      content_block: { type: 'tool_use', id: 't2', name: 'B', input: {} },
    },
    { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '' } },
    { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"x' } },
    { type: 'content_block_stop', index: 3 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { ...counts, output_tokens: 22 },
    },
    { type: 'message_stop' },
  ]);
  expect(events[0]).toMatchObject({
    type: 'message_start',
    message: { id: expect.stringMatching(/^msg_/), content: [], stop_reason: null, usage: counts },
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
});

test('the whole OpenAI stream, chunk by chunk, with usage only where it was asked for', async () => {
  const script: Script = [
    usage({ input: 10, cacheRead: 20, output: 5 }),
    thinking('Hm'),
    text('Hi'),
    interleavedCalls(call('A', { a: 1 }, 'c1'), call('B', { b: 2 }, 'c2')),
    finish('length'),
  ];
  const server = await serving('openai', script, []);
  const asked = { stream: true, stream_options: { include_usage: true } };
  const chunks = eventsOf(await (await post(server, asked)).text());
  const deltas = chunks.flatMap((chunk) => {
    const { choices = [] } = chunk as { choices?: { delta: unknown; finish_reason: string | null }[] };
    return choices.map(({ delta, finish_reason: reason }) => (reason === null ? delta : reason));
  });
  const part = (index: number, input: string) => ({
    tool_calls: [{ index, function: { arguments: input } }],
  });
  const opening = (index: number, id: string, name: string) => ({
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
  });
  expect(deltas).toEqual([
    { role: 'assistant', content: '' },
    { reasoning_content: 'Hm' },
    { content: 'Hi' },
    opening(0, 'c1', 'A'),
    opening(1, 'c2', 'B'),
    part(0, '{"a":1}'),
    part(1, '{"b":2}'),
    'length',
  ]);
  expect(chunks.slice(-2)).toEqual([
    expect.objectContaining({
      choices: [],
      usage: {
        prompt_tokens: 30,
        completion_tokens: 5,
        total_tokens: 35,
        prompt_tokens_details: { cached_tokens: 20 },
      },
    }),
    '[DONE]',
  ]);
  const empty = eventsOf(await (await post(server, { stream: true })).text());
  expect([empty.length, JSON.stringify(empty).includes('usage')]).toEqual([3, false]);
});
