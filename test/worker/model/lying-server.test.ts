import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { ModelServer } from '../../support/models/server.ts';
import { wireNames } from '../../support/models/start.ts';
import { choiceFor, greeting, quickLimits, rig } from './support/model-rig.ts';

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A server that does what no model server should; the address that a wire's paths are added to. */
async function liar(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => listener(request, response));
  });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const asking = (wire: ModelServer['wire'], baseUrl: string) =>
  rig({
    choices: [choiceFor({ wire, baseUrl, apiKey: 'key' } as ModelServer)],
    limits: { ...quickLimits, attempts: 1 },
  });

const streamed = (body: string | Buffer, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(body);
};
const events = (...list: readonly object[]): string =>
  list.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');

/** Chunks of the OpenAI wire with one delta each. */
const chunks = (delta: object, finish: string, usage: object = {}): string =>
  events(
    { id: 'c', choices: [{ index: 0, delta }] },
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
  );

/** A whole answer of the Anthropic wire that says `x` and counts as told. */
const counted = (input: object, output: number): string =>
  events(
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: input } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'x' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } },
    { type: 'message_stop' },
  );

test.each(wireNames)(
  'Over the wire %s a redirect is not followed: no other host gets the key.',
  async (wire) => {
    const seen: unknown[] = [];
    const other = await liar((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const baseUrl = await liar((_request, response) =>
      response.writeHead(307, { location: `${other}/messages` }).end(),
    );
    const failed = await asking(wire, baseUrl).failing();
    expect([seen, failed]).toEqual([
      [],
      { code: 'model_refused_request', text: expect.stringMatching(/answered 307/) },
    ]);
  },
);

test.each<[string, ModelServer['wire'], string, object]>([
  [
    'less than nothing',
    'anthropic',
    counted({ input_tokens: -1e9, output_tokens: 1, cache_read_input_tokens: -5 }, -1e12),
    { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 0 },
  ],
  [
    'more cached than sent',
    'openai',
    chunks({ content: 'x' }, 'stop', {
      prompt_tokens: 10,
      completion_tokens: 0,
      prompt_tokens_details: { cached_tokens: 1_000 },
    }),
    { inputTokens: 0, outputTokens: 0, cacheReadTokens: 1_000, cacheWriteTokens: 0, microUsd: 300 },
  ],
  [
    'more than can be counted',
    'anthropic',
    counted({ input_tokens: 1e308, output_tokens: 1 }, 1e308),
    {
      inputTokens: 20_000_000,
      outputTokens: 20_000_000,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      microUsd: 360_000_000,
    },
  ],
  [
    'halves',
    'openai',
    chunks({ content: 'x' }, 'stop', { prompt_tokens: 0.5, completion_tokens: 1.25 }),
    { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 33 },
  ],
])('A server that counts %s makes no money and breaks no sum.', async (_name, wire, body, usage) => {
  expect((await asking(wire, await liar(streamed(body))).ask()).usage).toEqual(usage);
});

test.each(wireNames)(
  'Half characters in names, members and broken input reach no later request over %s.',
  async (wire) => {
    const half = String.raw`{"\ud800k":{"\udc00":"\ud800"}}`;
    const broken = `{"command":"${'x'.repeat(1_987)}😀`;
    const made = [half, broken].map((input, index) => {
      const call = {
        index,
        id: `c${index}`,
        type: 'function',
        function: { name: 'Ba\ud800', arguments: input },
      };
      return call;
    });
    const { reply } = await asking(
      'openai',
      await liar(streamed(chunks({ tool_calls: made }, 'tool_calls'))),
    ).ask();
    let body = '';
    const next = await liar((_request, response) => response.writeHead(400).end());
    open.at(-1)?.prependListener('request', (request) => {
      request.on('data', (piece: Buffer) => {
        body += piece.toString('utf8');
      });
    });
    const turn = { role: 'assistant', seq: 2, reply, turn: 'trn_1' } as const;
    await asking(wire, next).failing({ messages: [greeting, turn] });
    const stored = JSON.stringify(reply);
    expect([reply.parts.length, body.includes('malformed'), /\\ud[89a-f]/i.test(stored + body)]).toEqual([
      2,
      true,
      false,
    ]);
  },
);

test('An answer that does not end and a refusal that unpacks to more than memory are cut.', async () => {
  const bomb = gzipSync(Buffer.alloc(160 * 1024 * 1024, 32));
  const packed = { 'content-encoding': 'gzip' };
  const endless = await asking('openai', await liar(streamed(bomb, packed))).failing();
  const before = process.memoryUsage().rss;
  const refusal = await liar((_request, response) => response.writeHead(400, packed).end(bomb));
  const refused = await asking('openai', refusal).failing();
  expect([endless, refused, process.memoryUsage().rss - before < 150 * 1024 * 1024]).toEqual([
    { code: 'model_failed', text: expect.stringMatching(/its answer does not end/) },
    { code: 'model_refused_request', text: expect.stringMatching(/answered 400: Bad Request/) },
    true,
  ]);
});
