import { type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { lastResults } from '../support/models/ask.ts';
import { createMind } from '../support/models/mind.ts';
import { type Script, call, calls, text, thinking, usage } from '../support/models/script.ts';
import { wireNames } from '../support/models/start.ts';
import { sdkModel } from './support/clients.ts';
import { serving } from './support/serving.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const tools = {
  Read: tool({
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `content of ${path}`,
  }),
};

const thinks = {
  anthropic: { thinking: { type: 'enabled' as const, budgetTokens: 2000 } },
};

const question: ModelMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Compare.' },
      { type: 'file', mediaType: 'image/png', data: png },
    ],
  },
];

const answers: Script[] = [
  [
    thinking('Two files are needed.'),
    text('I read both. ü漢🙂', { chunk: 3 }),
    calls(call('Read', { path: '/a' }, 'c1'), call('Read', { path: '/b ü' }, 'c2')),
  ],
  [thinking('Both are here.'), text('Done.')],
];

const twoSteps = [
  {
    thought: 'Two files are needed.',
    text: 'I read both. ü漢🙂',
    calls: [
      { toolCallId: 'c1', input: { path: '/a' } },
      { toolCallId: 'c2', input: { path: '/b ü' } },
    ],
    reason: 'tool-calls',
    output: 19,
  },
  { thought: 'Both are here.', text: 'Done.', calls: [], reason: 'stop', output: 5 },
];

const secondAsk = {
  model: 'stand-in-large',
  stream: true,
  system: 'You are short.',
  tools: ['Read'],
  turns: [
    { role: 'user', text: 'Compare.', images: 1 },
    {
      role: 'assistant',
      text: 'I read both. ü漢🙂',
      thinking: 'Two files are needed.',
      calls: [
        { id: 'c1', name: 'Read', input: { path: '/a' } },
        { id: 'c2', name: 'Read', input: { path: '/b ü' } },
      ],
    },
    {
      role: 'user',
      results: [
        { id: 'c1', name: 'Read', text: 'content of /a' },
        { id: 'c2', name: 'Read', text: 'content of /b ü' },
      ],
    },
  ],
};

for (const wire of wireNames) {
  describe(`the real SDK over the ${wire} wire`, () => {
    test('reads thinking, text, two parallel calls and usage, and its next request with their results is accepted', async () => {
      const server = await serving(wire, ...answers);
      const result = streamText({
        model: sdkModel(server),
        maxOutputTokens: 4000,
        maxRetries: 0,
        system: 'You are short.',
        messages: question,
        tools,
        stopWhen: stepCountIs(3),
        providerOptions: thinks,
      });
      const steps = await result.steps;
      expect(server.complaints).toEqual([]);
      expect(
        steps.map((step) => ({
          thought: step.reasoningText,
          text: step.text,
          calls: step.toolCalls.map(({ toolCallId, input }) => ({ toolCallId, input })),
          reason: step.finishReason,
          output: step.usage.outputTokens,
        })),
      ).toEqual(twoSteps);
      expect(steps.map(({ usage }) => usage.inputTokens)).toEqual(
        server.requests.map(({ prompt }) => prompt?.input),
      );
      expect(server.requests[1]?.ask).toMatchObject(secondAsk);
    });

    test('gets the same answers of one mind, whose steps follow the conversation', async () => {
      const mind = createMind();
      mind
        .when(/compare/i)
        .thinks('Hm.')
        .calls(call('Read', { path: '/a' }))
        .says((ask) => `It says: ${lastResults(ask).map((result) => result.text)}`);
      mind.otherwise().says('What?');
      const server = await serving(wire);
      server.answerWith(mind.answer);
      const ask = async (prompt: string): Promise<string> => {
        const model = sdkModel(server);
        const options = { model, maxOutputTokens: 4000, maxRetries: 0, tools, stopWhen: stepCountIs(3) };
        return await streamText({ ...options, prompt, providerOptions: thinks }).text;
      };
      expect([await ask('Compare them'), await ask('Hello')]).toEqual(['It says: content of /a', 'What?']);
      expect([server.complaints, server.requests.length]).toEqual([[], 3]);
    });

    test('tells what the cache gave', async () => {
      const server = await serving(wire, [usage({ input: 11, cacheRead: 33, cacheWrite: 0, output: 7 })]);
      const result = streamText({ model: sdkModel(server), maxOutputTokens: 9, prompt: 'Hello' });
      const { inputTokens, outputTokens, inputTokenDetails } = await result.usage;
      expect([inputTokens, inputTokenDetails.cacheReadTokens, outputTokens]).toEqual([44, 33, 7]);
    });

    test('reads an answer that is not streamed', async () => {
      const server = await serving(wire, [
        thinking('Hm.'),
        text('Yes.'),
        calls(call('Read', { path: '/a' }, 'c1')),
      ]);
      const { content, finishReason } = await sdkModel(server).doGenerate({
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        maxOutputTokens: 100,
      });
      expect(server.complaints).toEqual([]);
      expect([content, finishReason.unified]).toMatchObject([
        [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Yes.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'Read', input: '{"path":"/a"}' },
        ],
        'tool-calls',
      ]);
    });
  });
}
