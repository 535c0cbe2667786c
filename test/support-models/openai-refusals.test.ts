import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { text } from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer } from '../support/models/start.ts';
import { post } from './support/clients.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer('openai', { answer: () => [text('Yes.')], contextWindow: 5000 });
});
afterAll(() => server.close());

const tools = [{ type: 'function', function: { name: 'Read', parameters: { type: 'object' } } }];
const called = (id: string, input = '{}') => ({
  id,
  type: 'function',
  function: { name: 'Read', arguments: input },
});
const user = { role: 'user', content: 'x' };
const asks = (...list: object[]) => ({ role: 'assistant', content: null, tool_calls: list });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });

const bad: readonly (readonly [string, object, RegExp])[] = [
  ['no messages', { messages: [] }, /Missing required parameter: 'messages'/],
  ['an unknown member', { foo: 1 }, /Unrecognized request argument supplied: foo/],
  ['an unknown role', { messages: [{ role: 'bot', content: 'x' }] }, /messages\[0\]\.role/],
  ['an empty assistant', { messages: [user, { role: 'assistant', content: null }] }, /need 'content' or/],
  [
    'an unanswered call',
    { messages: [user, asks(called('a'), called('b')), result('a')] },
    /did not have .*: b/,
  ],
  [
    'a person before the results',
    { messages: [user, asks(called('a')), user, result('a')] },
    /did not have .*: a/,
  ],
  ['a result without its call', { messages: [user, result('a')] }, /messages with role 'tool' must be/],
  [
    'a second result',
    { messages: [user, asks(called('a')), result('a'), result('a')] },
    /messages with role 'tool'/,
  ],
  ['calls of one id', { messages: [user, asks(called('a'), called('a')), result('a')] }, /duplicate ids/],
  [
    'broken arguments',
    { messages: [user, asks(called('a', '{')), result('a')] },
    /arguments': expected valid JSON/,
  ],
  ['an empty tool list', { tools: [] }, /Invalid 'tools'/],
  ['two tools of one name', { tools: [...tools, ...tools] }, /Duplicate function names/],
  ['a choice without tools', { tool_choice: 'auto' }, /only allowed when 'tools'/],
  ['stream options without a stream', { stream_options: {} }, /only allowed when 'stream'/],
  [
    'no image',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
    /valid URL/,
  ],
  [
    'too long a prompt',
    { messages: [{ role: 'user', content: 'x'.repeat(30_000) }] },
    /maximum context length is 5000/,
  ],
];

describe('the OpenAI stand-in refuses', () => {
  test.each(bad)('%s', async (_name, body, message) => {
    const response = await post(server, { ...body });
    expect([response.status, await response.json(), server.complaints.at(-1)]).toEqual([
      400,
      {
        error: expect.objectContaining({
          type: 'invalid_request_error',
          message: expect.stringMatching(message),
        }),
      },
      expect.stringMatching(message),
    ]);
  });

  test('a wrong key, an unknown model and broken JSON', async () => {
    const wrong = await post(server, {}, { headers: { authorization: 'Bearer other' } });
    const other = await post(server, { model: 'other' });
    const broken = await post(server, '{');
    expect([wrong.status, await wrong.json(), other.status, await other.json(), broken.status]).toMatchObject(
      [401, { error: { code: 'invalid_api_key' } }, 404, { error: { code: 'model_not_found' } }, 400],
    );
  });
});

test('a local server wants no key and is discovered by either list', async () => {
  const local = await startModelServer('openai', { apiKey: null, models: ['llama'], answer: () => [] });
  const openAi = await (await fetch(`${local.baseUrl}/models`)).json();
  const ollama = await (await fetch(`${local.url}/api/tags`)).json();
  const answered = await post(local, { model: 'llama' }, { headers: { authorization: '' } });
  await local.close();
  expect([openAi, ollama, answered.status, local.probes.map(({ path }) => path)]).toMatchObject([
    { object: 'list', data: [{ id: 'llama', object: 'model' }] },
    { models: [{ name: 'llama', details: { format: 'gguf' } }] },
    200,
    ['/v1/models', '/api/tags'],
  ]);
});
