import { afterEach, describe, expect, test } from 'vitest';
import { httpError, text } from '../support/models/script.ts';
import { cacheReadShare } from '../support/models/seen.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer, wireNames } from '../support/models/start.ts';
import { post } from './support/clients.ts';

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

const mark = { cache_control: { type: 'ephemeral' } };

/** The conversation after so many turns; Anthropic's wire gets marks on the system prompt and the last block. */
function conversation(wire: ModelServer['wire'], turns: number, first = 'Remember this. '): object {
  const system = 'You are careful. '.repeat(300);
  const block = (role: string, value: string, last: boolean): object => ({
    role,
    content: wire === 'openai' ? value : [{ type: 'text', text: value, ...(last ? mark : {}) }],
  });
  const messages = Array.from({ length: turns * 2 + 1 }, (_, at) =>
    block(at % 2 === 0 ? 'user' : 'assistant', `${first}${at} `.repeat(10), at === turns * 2),
  );
  return wire === 'openai'
    ? { messages: [{ role: 'system', content: system }, ...messages] }
    : { system: [{ type: 'text', text: system, ...mark }], messages };
}

async function talk(server: ModelServer, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1)
    await (await post(server, { ...conversation(server.wire, turn) })).text();
}

for (const wire of wireNames) {
  describe(`the prompt cache of the ${wire} wire`, () => {
    test('serves more than nine tenths of 20 turns that only grow, and reports what it counts', async () => {
      const server = await startModelServer(wire, { minCacheTokens: 0, answer: () => [text('Yes.')] });
      servers.push(server);
      await talk(server, 20);
      expect([server.complaints, cacheReadShare(server.requests) > 0.9]).toEqual([[], true]);
      const again = await (await post(server, conversation(wire, 19) as Record<string, unknown>)).json();
      const { prompt } = server.requests.at(-1)!;
      expect(again).toMatchObject({
        usage:
          wire === 'anthropic'
            ? { input_tokens: prompt?.input, cache_read_input_tokens: prompt?.cacheRead }
            : { prompt_tokens_details: { cached_tokens: prompt?.cacheRead } },
      });
    });

    test('reads only the part before a change, and nothing after it was forgotten', async () => {
      const server = await startModelServer(wire, { answer: () => [] });
      servers.push(server);
      await talk(server, 5);
      await post(server, { ...conversation(wire, 5, 'Something else. ') });
      server.forgetCache();
      await post(server, { ...conversation(wire, 5) });
      const [grown, changed, forgotten] = server.requests.slice(-3).map(({ prompt }) => prompt!);
      expect(changed!.cacheRead).toBeGreaterThan(1000);
      expect(changed!.cacheRead).toBeLessThan(grown!.cacheRead);
      expect(forgotten!.cacheRead).toBe(0);
    });

    test('keeps nothing of a request that failed', async () => {
      const server = await startModelServer(wire, { answer: () => [] });
      servers.push(server);
      server.enqueue([httpError(529)]);
      for (let round = 0; round < 3; round += 1) await post(server, { ...conversation(wire, 3) });
      expect(server.requests.map(({ prompt }) => prompt!.cacheRead > 0)).toEqual([false, false, true]);
    });

    test('takes nothing that is shorter than its minimum', async () => {
      const server = await startModelServer(wire, { minCacheTokens: 100_000, answer: () => [] });
      servers.push(server);
      await talk(server, 3);
      expect(cacheReadShare(server.requests)).toBe(0);
    });
  });
}

test('a mark reads no further back than 20 blocks', async () => {
  const server = await startModelServer('anthropic', { minCacheTokens: 0, answer: () => [] });
  servers.push(server);
  const messages = (blocks: number): object => ({
    messages: [
      {
        role: 'user',
        content: Array.from({ length: blocks }, (_, at) => ({
          type: 'text',
          text: `part ${at}`,
          ...(at === blocks - 1 ? mark : {}),
        })),
      },
    ],
  });
  for (const blocks of [1, 21, 42]) await post(server, { ...messages(blocks) });
  expect(server.requests.map(({ prompt }) => (prompt?.cacheRead ?? 0) > 0)).toEqual([false, true, false]);
});
