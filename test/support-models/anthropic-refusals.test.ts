import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, calls, text, thinking } from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer } from '../support/models/start.ts';
import { post } from './support/clients.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer('anthropic', { answer: () => [text('Yes.')], contextWindow: 5000 });
});
afterAll(() => server.close());

const tools = [{ name: 'Read', input_schema: { type: 'object', properties: {} } }];
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
const image = (media: string, data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: media, data },
});

const bad: readonly (readonly [string, object, RegExp])[] = [
  ['no max_tokens', { max_tokens: undefined }, /max_tokens: Field required/],
  ['an unknown member', { foo: 1 }, /foo: Extra inputs are not permitted/],
  ['no messages', { messages: [] }, /at least one message/],
  ['an assistant first', { messages: [assistant('x'), user('y')] }, /first message must use/],
  ['two users in a row', { messages: [user('x'), user('y')] }, /roles must alternate/],
  ['an assistant last', { messages: [user('x'), assistant('y')] }, /prefill/],
  ['an empty text', { messages: [user([{ type: 'text', text: '' }])] }, /must be non-empty/],
  ['an empty message', { messages: [user([])] }, /non-empty content/],
  ['an image that is another', { messages: [user([image('image/png', '/9j/4AAQ')])] }, /does not match/],
  ['a call in a user message', { messages: [user([use('a')])], tools }, /does not match any of the expected/],
  [
    'an unanswered call',
    { messages: [user('x'), assistant([use('a'), use('b')]), user([result('a')])], tools },
    /without `tool_result` blocks immediately after: b/,
  ],
  [
    'a result without its call',
    { messages: [user('x'), assistant([use('a')]), user([result('a'), result('z')])], tools },
    /unexpected `tool_use_id`.*: z/,
  ],
  [
    'a text before a result',
    { messages: [user('x'), assistant([use('a')]), user([{ type: 'text', text: 'y' }, result('a')])], tools },
    /must come before any other content/,
  ],
  [
    'the same call twice',
    {
      messages: [
        user('x'),
        assistant([use('a')]),
        user([result('a')]),
        assistant([use('a')]),
        user([result('a')]),
      ],
      tools,
    },
    /ids must be unique/,
  ],
  [
    'calls without tools',
    { messages: [user('x'), assistant([use('a')]), user([result('a')])] },
    /must define tools/,
  ],
  [
    'a call whose input is text',
    { messages: [user('x'), assistant([{ ...use('a'), input: '{' }]), user([result('a')])], tools },
    /input: Input should be a valid dictionary/,
  ],
  ['two tools of one name', { tools: [...tools, ...tools] }, /Tool names must be unique/],
  ['a tool without schema', { tools: [{ name: 'A' }] }, /input_schema: Field required/],
  ['a tool with a dot', { tools: [{ ...tools[0], name: 'a.b' }] }, /name: String should match/],
  ['a choice of a missing tool', { tools, tool_choice: { type: 'tool', name: 'B' } }, /'B' not found/],
  ['five cache marks', { messages: [user(Array(5).fill(marked))] }, /maximum of 4 blocks.*Found 5/],
  [
    'a foreign signature',
    { messages: [user('x'), assistant([{ type: 'thinking', thinking: 'a', signature: 'b' }]), user('y')] },
    /messages.1.content.0: Invalid `signature`/,
  ],
  ['too small a thinking budget', { thinking: { type: 'enabled', budget_tokens: 5 } }, /budget_tokens/],
  ['too long a prompt', { messages: [user('x'.repeat(30_000))] }, /prompt is too long: \d+ tokens > 5000/],
];

describe('the Anthropic stand-in refuses', () => {
  test.each(bad)('%s', async (_name, body, message) => {
    const response = await post(server, { ...body });
    expect([response.status, await response.json(), server.complaints.at(-1)]).toEqual([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringMatching(message) },
        request_id: response.headers.get('request-id'),
      },
      expect.stringMatching(message),
    ]);
  });

  test.each([
    ['a missing key', { 'x-api-key': '' }, 401, 'authentication_error'],
    ['a wrong key', { 'x-api-key': 'other' }, 401, 'authentication_error'],
    ['a wrong version', { 'anthropic-version': '2020-01-01' }, 400, 'invalid_request_error'],
    ['a body that is not called JSON', { 'content-type': 'text/plain' }, 400, 'invalid_request_error'],
  ])('%s', async (_name, headers, status, type) => {
    const response = await post(server, {}, { headers: headers as Record<string, string> });
    const { error } = (await response.json()) as { error: { type: string } };
    expect([response.status, error.type]).toEqual([status, type]);
  });

  test('broken JSON, an unknown model, an unknown path and too large a body', async () => {
    const small = await startModelServer('anthropic', { maxBodyBytes: 500 });
    const large = await post(small, { messages: [user('x'.repeat(600))] });
    await small.close();
    const elsewhere = await fetch(`${server.url}/v2/messages`, { method: 'POST', body: '{}' });
    const other = await post(server, { model: 'other' });
    expect([(await post(server, '{')).status, other.status, elsewhere.status, large.status]).toEqual([
      400, 404, 404, 413,
    ]);
  });
});

describe('thinking of this server', () => {
  const question = user('Which file?');
  const body = (messages: unknown[], model = 'stand-in-large') => ({ model, messages, tools });
  const thought = async (): Promise<{ content: { type: string; id?: string }[]; id: string }> => {
    server.enqueue([thinking('Let me see.'), calls(call('Read'))]);
    const { content } = (await (await post(server, body([question]))).json()) as {
      content: { type: string; id?: string }[];
    };
    return { content, id: String(content[1]?.id) };
  };

  test('is taken back unmodified, and dropped for another model', async () => {
    const { content, id } = await thought();
    const [, toolUse] = content;
    const same = await post(server, body([question, assistant(content), user([result(id)])]));
    const other = await post(
      server,
      body([question, assistant([toolUse]), user([result(id)])], 'stand-in-small'),
    );
    expect([same.status, other.status]).toEqual([200, 200]);
  });

  test('is missed in a running tool loop, refused when changed or sent to another model, and may be dropped later', async () => {
    const { content, id } = await thought();
    const [block, toolUse] = content;
    const loop = (blocks: unknown[]) => [question, assistant(blocks), user([result(id)])];
    const answers = [
      await post(server, body(loop([toolUse]))),
      await post(server, body(loop([{ ...block, thinking: 'Let me see' }, toolUse]))),
      await post(server, body(loop(content), 'stand-in-small')),
      await post(server, body([...loop([toolUse]), assistant('ok'), user('next')])),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
  });
});

test('the list of models wants the same headers', async () => {
  const headers = { 'x-api-key': server.apiKey ?? '', 'anthropic-version': '2023-06-01' };
  const list = await (await fetch(`${server.baseUrl}/models`, { headers })).json();
  expect(list).toMatchObject({
    data: [{ type: 'model', id: 'stand-in-large' }, { id: 'stand-in-small' }],
    has_more: false,
  });
  expect((await fetch(`${server.baseUrl}/models`)).status).toBe(401);
});
