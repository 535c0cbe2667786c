import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
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
const chunks = (delta: object, finish: string, usage: unknown = {}): string =>
  events(
    { id: 'c', choices: [{ index: 0, delta }] },
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
  );

/** A whole answer of the Anthropic wire that says `x` and counts as told. */
const counted = (input: unknown, output: unknown): string =>
  events(
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: input } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: output === null ? null : { output_tokens: output },
    },
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
    {
      inputTokens: 130,
      outputTokens: 9,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      microUsd: 525,
      estimated: true,
    },
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
      inputTokens: 130,
      outputTokens: 9,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      microUsd: 525,
      estimated: true,
    },
  ],
  [
    'in words and with what is no count',
    'anthropic',
    counted({ input_tokens: '12', cache_read_input_tokens: [] }, '3'),
    { inputTokens: 12, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 81 },
  ],
  ...[{}, null, 'much', { input_tokens: null }].map(
    (usage): [string, ModelServer['wire'], string, object] => [
      `nothing (${JSON.stringify(usage)})`,
      'anthropic',
      counted(usage, null),
      {
        inputTokens: 130,
        outputTokens: 9,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        microUsd: 525,
        estimated: true,
      },
    ],
  ),
  ...[{}, null, [], { prompt_tokens: true, completion_tokens: {} }].map(
    (usage): [string, ModelServer['wire'], string, object] => [
      `nothing (${JSON.stringify(usage)})`,
      'openai',
      chunks({ content: 'x' }, 'stop', usage),
      {
        inputTokens: 130,
        outputTokens: 9,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        microUsd: 525,
        estimated: true,
      },
    ],
  ),
  [
    'one side in words',
    'openai',
    chunks({ content: 'x' }, 'stop', { prompt_tokens: '40', completion_tokens: -1 }),
    {
      inputTokens: 40,
      outputTokens: 9,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      microUsd: 255,
      estimated: true,
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

test.each(wireNames)('Over the wire %s a stream of nothing but pings ends as silence does.', async (wire) => {
  const baseUrl = await liar((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const sign = wire === 'anthropic' ? 'event: ping\ndata: {"type": "ping"}\n\n' : ': waiting\n\n';
    const ping = (): unknown => response.write(sign, () => setTimeout(ping, 5));
    ping();
  });
  const failed = await rig({
    choices: [choiceFor({ wire, baseUrl, apiKey: 'key' } as ModelServer)],
    limits: { ...quickLimits, attempts: 1 },
    times: { firstByteMs: 5_000, silenceMs: 100, wholeMs: 60_000 },
  }).failing();
  expect(failed).toEqual({
    code: 'model_unreachable',
    text: expect.stringContaining('fell silent in the middle of its answer for 0.3 s'),
  });
});

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

describe.each(wireNames)('Over the wire %s an answer that is whole', (wire) => {
  const whole =
    wire === 'anthropic'
      ? counted({ input_tokens: 1 }, 1)
      : `${chunks({ content: 'x' }, 'stop')}data: [DONE]\n\n`;
  const pings = (response: ServerResponse): void => {
    if (response.write(': still here\n\nevent: ping\ndata: {"type": "ping"}\n\n'))
      setImmediate(pings, response);
    else response.once('drain', () => pings(response));
  };

  test.each<[string, RequestListener]>([
    ['garbage follows', streamed(`${whole}data: {"half\n\n\u0000{]}<html>`)],
    ['garbage follows on the same line', streamed(whole.trimEnd() + '\ndata: [DONE] and more\n\nnonsense')],
    [
      'an error event follows',
      streamed(`${whole}event: error\ndata: {"type":"error","error":{"type":"x"}}\n\n`),
    ],
    ['lines end in carriage returns too', streamed(whole.replaceAll('\n', '\r\n') + '\r\nrest')],
    [
      'pings never end',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(whole);
        pings(response);
      },
    ],
    [
      'the connection breaks',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(whole, () => {
          response.socket?.resetAndDestroy();
        });
      },
    ],
  ])('is taken when %s.', async (_name, listener) => {
    const { reply } = await asking(wire, await liar(listener)).ask();
    expect(reply.parts).toEqual([{ type: 'text', text: 'x' }]);
  });
});

test.each(
  wireNames.flatMap((wire) =>
    [
      'http://127.0.0.1:6000/v1',
      'http://127.0.0.1:99999/v1',
      'ftp://127.0.0.1/v1',
      'nonsense',
      'http://127.0.0.1:0/v1',
    ].map((baseUrl) => [wire, baseUrl] as const),
  ),
)('Over the wire %s the address %s is refused at once, with what to do.', async (wire, baseUrl) => {
  const waits: unknown[] = [];
  const limits = { ...quickLimits, firstWaitMs: 60_000, longestWaitMs: 60_000, totalWaitMs: 600_000 };
  const choices = [choiceFor({ wire, baseUrl, apiKey: 'key' } as ModelServer)];
  const failed = await rig({ choices, limits }).failing({ onWait: (text) => waits.push(text) });
  expect([failed, waits]).toEqual([
    { code: 'model_address', text: expect.stringMatching(/no request can be sent to.*Correct it/) },
    [],
  ]);
});
