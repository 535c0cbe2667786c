import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { createModel } from '../../../electron/worker/model/create-model.ts';
import type { RemoteChoice } from '../../../electron/worker/model/remote-model.ts';

// Anthropic's wire with its own search: blocks as its documentation shows them.

let server: Server;
let bodies: Record<string, unknown>[];
let events: [string, object][];

beforeEach(async () => {
  bodies = [];
  server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(JSON.parse(body) as Record<string, unknown>);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const [type, data] of events)
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const page = (url: string, title: string) => ({
  type: 'web_search_result',
  url,
  title,
  encrypted_content: 'opaque',
  page_age: null,
});
const block = (index: number, content_block: object, ...deltas: object[]): [string, object][] => [
  ['content_block_start', { index, content_block }],
  ...deltas.map((delta): [string, object] => ['content_block_delta', { index, delta }]),
  ['content_block_stop', { index }],
];
const answer = (found: unknown): [string, object][] => [
  [
    'message_start',
    {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 100, output_tokens: 1 },
      },
    },
  ],
  ...block(
    0,
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    { type: 'input_json_delta', partial_json: '{"query":"cats"}' },
  ),
  ...block(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: found }),
  ...block(
    2,
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'Cats are kept.' },
    {
      type: 'citations_delta',
      citation: {
        type: 'web_search_result_location',
        url: 'https://a.example',
        title: 'A',
        encrypted_index: 'x',
        cited_text: 'Cats are kept in homes.',
      },
    },
  ),
  [
    'message_delta',
    { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 50 } },
  ],
  ['message_stop', {}],
];

function choice(own: Partial<RemoteChoice> = {}): RemoteChoice {
  return {
    ref: 'anthropic/m',
    wire: 'anthropic',
    model: 'm',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    credential: null,
    contextTokens: 200_000,
    maxOutputTokens: 8_192,
    images: true,
    thinkingTokens: 0,
    price: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    ...own,
  };
}

function search(choices: readonly RemoteChoice[], nativeSearch: boolean | null) {
  const refresh = async () => ({ kind: 'refused', reason: 'none' }) as const;
  return createModel({ choices, secrets: {}, refresh, clock: systemClock, chance: () => 0, nativeSearch })
    .search;
}

const query = {
  query: 'cats',
  allowedDomains: ['a.example'],
  blockedDomains: ['b.example'],
  maxOutputTokens: 1_500,
  signal: new AbortController().signal,
};

test("a provider's own search gives pages with what its model cites of them, and what it cost with the search itself", async () => {
  events = answer([page('https://a.example', 'A'), page('https://c.example', 'C')]);
  expect(await search([choice()], true)?.(query)).toEqual({
    results: [
      { url: 'https://a.example', title: 'A', snippet: 'Cats are kept in homes.' },
      { url: 'https://c.example', title: 'C', snippet: '' },
    ],
    usage: {
      inputTokens: 100,
      outputTokens: 50,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      microUsd: 100 + 2 * 50 + 10_000,
    },
  });
  expect(bodies).toMatchObject([
    {
      max_tokens: 1_500,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'cats' }] }],
      tools: [
        { type: 'web_search_20250305', name: 'web_search', max_uses: 1, allowed_domains: ['a.example'] },
      ],
    },
  ]);
  expect(bodies[0]?.tools).not.toMatchObject([{ blocked_domains: expect.anything() }]);
});

test('a search that the provider could not make has no pages', async () => {
  events = answer({ type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }).filter(
    ([, data]) => !JSON.stringify(data).includes('citation'),
  );
  expect((await search([choice()], true)?.(query))?.results).toEqual([]);
});

test('is offered where the provider is known to have it, or the settings say so', () => {
  const real = choice({ baseUrl: 'https://api.anthropic.com/v1' });
  const openai = choice({ wire: 'openai' });
  expect([
    search([real], null) === null,
    search([real], false) === null,
    search([choice()], null) === null,
    search([choice()], true) === null,
    search([openai], true) === null,
    search([openai, real], null) === null,
  ]).toEqual([false, true, true, false, true, false]);
});
