import { afterEach, describe, expect, test } from 'vitest';
import { createGate } from '../support/models/gate.ts';
import {
  type Script,
  brokenCall,
  call,
  calls,
  cut,
  endEarly,
  endless,
  finish,
  hang,
  httpError,
  hugeText,
  interleavedCalls,
  malformed,
  page,
  ping,
  raw,
  start,
  streamError,
  text,
  thinking,
  usage,
  wait,
} from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer, wireNames } from '../support/models/start.ts';
import { eventsOf, post } from './support/clients.ts';

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function serving(wire: ModelServer['wire'], ...scripts: Script[]): Promise<ModelServer> {
  const server = await startModelServer(wire);
  servers.push(server);
  server.enqueue(...scripts);
  return server;
}

async function readAll(response: Response): Promise<{ text: string; broken: boolean }> {
  let got = '';
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) got += chunk;
    return { text: got, broken: false };
  } catch {
    // The broken connection is what the test looks for.
    return { text: got, broken: true };
  }
}

describe.each(wireNames)('on the %s wire', (wire) => {
  test.each([400, 401, 403, 404, 413, 429, 500, 529])(
    'an HTTP error %i has the form of the real server',
    async (status) => {
      const server = await serving(wire, [httpError(status, { message: 'no' })]);
      const response = await post(server, { stream: true });
      const body = (await response.json()) as { error: unknown };
      expect([response.status, body.error, await server.requests[0]?.outcome]).toEqual([
        status,
        expect.objectContaining({ message: 'no', type: expect.any(String) }),
        'answered',
      ]);
    },
  );

  test('a 429 says when to come again in seconds, as a date or in milliseconds', async () => {
    const date = new Date('2026-11-30T12:00:00Z');
    const server = await serving(
      wire,
      [httpError(429, { retryAfter: 7 })],
      [httpError(429, { retryAfter: date })],
      [httpError(429, { retryAfterMs: 250 })],
    );
    const hints = [];
    for (let round = 0; round < 3; round += 1) {
      const { headers } = await post(server);
      hints.push([headers.get('retry-after'), headers.get('retry-after-ms')]);
    }
    expect(hints).toEqual([
      ['7', null],
      ['Mon, 30 Nov 2026 12:00:00 GMT', null],
      [null, '250'],
    ]);
  });

  test('the socket breaks after what came before the cut, and before everything when the cut is first', async () => {
    const server = await serving(wire, [text('Half of it'), cut()], [cut()]);
    const half = await readAll(await post(server, { stream: true }));
    expect([
      half.broken,
      half.text.includes('Half of it'),
      /content_block_stop|"stop"/.test(half.text),
    ]).toEqual([true, true, false]);
    await expect(post(server, { stream: true })).rejects.toThrow('fetch failed');
    expect(await Promise.all(server.requests.map(({ outcome }) => outcome))).toEqual(['cut', 'cut']);
  });

  test('a cut in the middle of a line and a clean end without closing events', async () => {
    const server = await serving(wire, [text('A'), raw('data: {"ty'), cut()], [text('A'), endEarly()]);
    const torn = await readAll(await post(server, { stream: true }));
    const early = await readAll(await post(server, { stream: true }));
    expect([
      torn.broken,
      torn.text.endsWith('data: {"ty'),
      early.broken,
      early.text.includes('[DONE]'),
    ]).toEqual([true, true, false, false]);
    expect(early.text).not.toContain('message_stop');
  });

  test('malformed data comes between good events, and an error event ends the stream', async () => {
    const server = await serving(
      wire,
      [text('A'), malformed('{"x'), text('B')],
      [text('A'), streamError('overloaded_error', 'Busy')],
    );
    const bad = (await readAll(await post(server, { stream: true }))).text.split('\n');
    expect(bad.filter((line) => line === 'data: {"x')).toHaveLength(1);
    const failed = eventsOf((await readAll(await post(server, { stream: true }))).text);
    expect(failed.at(-1)).toMatchObject({ error: { type: 'overloaded_error', message: 'Busy' } });
  });

  test('a page of a proxy and a wrong content type come as they are', async () => {
    const server = await serving(
      wire,
      [page()],
      [page('data: 1', { status: 200, contentType: 'text/plain' })],
    );
    const answers = [];
    for (let round = 0; round < 2; round += 1) {
      const response = await post(server, { stream: true });
      answers.push([
        response.status,
        response.headers.get('content-type'),
        (await response.text()).slice(0, 9),
      ]);
    }
    expect(answers).toEqual([
      [502, 'text/html', '<!doctype'],
      [200, 'text/plain', 'data: 1'],
    ]);
  });

  test('a gate holds back the headers, then each delta, and the test sees that it is reached', async () => {
    const head = createGate();
    const slow = createGate();
    const server = await serving(wire, [wait(head), start(), text('abcdef', { chunk: 2, gate: slow })]);
    const pending = post(server, { stream: true });
    const seen = await server.nextRequest();
    await head.reached();
    head.open();
    const response = await pending;
    await slow.reached(1);
    slow.step();
    await slow.reached(2);
    slow.open();
    const all = await readAll(response);
    expect([all.broken, await seen.outcome, server.complaints]).toEqual([false, 'answered', []]);
  });

  test('a client that leaves ends silence, a closed gate and endless text', async () => {
    const server = await serving(wire, [text('A'), hang()], [text('A'), wait(createGate())], [endless()]);
    for (let round = 0; round < 3; round += 1) {
      const leave = new AbortController();
      const response = await post(server, { stream: true }, { signal: leave.signal });
      await response.body!.getReader().read();
      leave.abort();
    }
    expect(await Promise.all(server.requests.map(({ outcome }) => outcome))).toEqual([
      'left',
      'left',
      'left',
    ]);
  });

  test('closing the server frees a client that waits', async () => {
    const server = await serving(wire, [hang()]);
    const pending = post(server, { stream: true });
    pending.catch(() => undefined);
    await server.nextRequest();
    await server.close();
    await expect(pending).rejects.toThrow('fetch failed');
  });

  test('a model that never stops ends at max_tokens, and 200,000 tokens arrive whole', async () => {
    const server = await serving(wire, [endless('max_tokens')], [hugeText(200_000)]);
    const stopped = (await readAll(await post(server, { stream: true, max_tokens: 50 }))).text;
    expect(stopped).toMatch(wire === 'anthropic' ? '"stop_reason":"max_tokens"' : '"finish_reason":"length"');
    const huge = (await readAll(await post(server, { stream: true }))).text;
    expect(huge.match(/word/g)).toHaveLength(160_000);
  });

  test('a request without a script, and a script that cannot be played, are complaints and no silence', async () => {
    const server = await serving(wire, [start(), httpError(500)]);
    await readAll(await post(server, { stream: true }).catch(() => new Response('')));
    expect((await post(server)).status).toBe(400);
    expect(server.complaints).toEqual([
      'request 1: 400 stand-in: the script has an HTTP error after the answer began',
      'request 2: 400 stand-in: no answer is left for request 2',
    ]);
  });

  test('requests are recorded with exact bytes and headers', async () => {
    const server = await serving(wire, []);
    const body = JSON.stringify({
      model: 'stand-in-small',
      messages: [{ role: 'user', content: 'Grüße 🙂' }],
      max_tokens: 5,
    });
    await post(server, body);
    const [seen] = server.requests;
    expect([seen?.rawBody.toString(), seen?.body, seen?.ask?.model, seen?.headers['content-type']]).toEqual([
      body,
      JSON.parse(body),
      'stand-in-small',
      'application/json',
    ]);
  });
});

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
