import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ContextMessage, Reply } from '../../../shared/domain/messages.ts';
import { lastResults } from '../../support/models/ask.ts';
import * as say from '../../support/models/script.ts';
import { cacheReadShare } from '../../support/models/seen.ts';
import type { ModelServer } from '../../support/models/server.ts';
import { startModelServer, wireNames } from '../../support/models/start.ts';
import { choiceFor, greeting, rig, sampleFrame } from './support/model-rig.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const assistant = (reply: Reply): ContextMessage => ({ role: 'assistant', seq: 2, reply, turn: 'trn_1' });
const results = (reply: Reply, images = false): ContextMessage[] =>
  reply.parts.flatMap((part) => {
    if (part.type !== 'call') return [];
    const picture = { images: [{ hash: 'h1', mediaType: 'image/png', bytes: png.length }] };
    const result = { outcome: 'ok' as const, output: `out of ${part.id}`, ...(images ? picture : {}) };
    return [{ role: 'result' as const, seq: 3, call: part.id, tool: part.tool, result, turn: 'trn_1' }];
  });

for (const wire of wireNames)
  describe(`over the wire ${wire}`, () => {
    let server: ModelServer;
    beforeEach(async () => {
      server = await startModelServer(wire);
    });
    afterEach(() => server.close());

    test('thinking, text, parallel calls through both ways, pictures and usage make one canonical turn', async () => {
      const choice = choiceFor(server, { thinkingTokens: 2_000 });
      const { ask } = rig({ choices: [choice] });
      server.enqueue(
        [
          say.thinking('Two things.'),
          say.text('I look.'),
          say.calls(
            say.call('Bash', { command: 'ls' }),
            say.call('UseTool', { name: 'Grep', input: { pattern: 'x' } }),
            say.brokenCall('Bash', '{"command": "l'),
          ),
        ],
        [say.text('Done.')],
      );
      const first = await ask({ step: 'stp_a' });
      const messages = [greeting, assistant(first.reply), ...results(first.reply, true)];
      const second = await ask({ step: 'stp_b', messages, picture: async () => png });
      const thought = { type: 'thinking', text: 'Two things.', provider: wire };
      expect({
        parts: first.reply.parts,
        stop: first.reply.stop,
        counted: first.usage.inputTokens > 0 && first.usage.microUsd > 0,
        answered: lastResults(server.requests[1]?.ask ?? ({ turns: [] } as never)).map(({ id, name }) => [
          id,
          name,
        ]),
        pictures: server.requests[1]?.ask?.turns.at(-1),
        thinking: server.requests[1]?.ask?.turns[1]?.thinking,
        end: second.reply,
        complaints: server.complaints,
      }).toEqual({
        parts: [
          wire === 'anthropic' ? { ...thought, signature: expect.any(String) } : thought,
          { type: 'text', text: 'I look.' },
          { type: 'call', id: 'cal_a_0', tool: 'Bash', input: { command: 'ls' } },
          { type: 'call', id: 'cal_a_1', tool: 'Grep', input: { pattern: 'x' }, via: 'UseTool' },
          { type: 'call', id: 'cal_a_2', tool: 'Bash', input: '{"command": "l' },
        ],
        stop: 'calls',
        counted: true,
        answered: [
          ['cal_a_0', 'Bash'],
          ['cal_a_1', 'UseTool'],
          ['cal_a_2', 'Bash'],
        ],
        pictures: expect.objectContaining(
          wire === 'anthropic'
            ? { results: [0, 1, 2].map(() => expect.objectContaining({ images: 1 })) }
            : { images: 3 },
        ),
        thinking: wire === 'anthropic' ? 'Two things.' : '',
        end: { model: choice.ref, parts: [{ type: 'text', text: 'Done.' }], stop: 'end' },
        complaints: [],
      });
    });

    test('names that a model made up and half characters do not spoil the conversation', async () => {
      const { ask } = rig({ choices: [choiceFor(server)] });
      const half = '"a \\ud83d b"';
      server.enqueue(
        [say.calls(say.call('no.such tool!', {}), say.brokenCall('Bash', `{"command": ${half}}`))],
        [say.text('next')],
      );
      const first = await ask();
      const cut: ContextMessage = { ...greeting, text: 'cut \ud83d', ref: 'm2' } as ContextMessage;
      const second = await ask({
        messages: [greeting, assistant(first.reply), ...results(first.reply), cut],
      });
      const sent = server.requests[1]?.rawBody.toString() ?? '';
      expect([
        first.reply.parts.map((part) => (part.type === 'call' ? [part.tool, part.input] : null)),
        second.reply.stop,
        /\\ud83d/i.test(sent),
        server.requests[1]?.ask?.turns[1]?.calls.map(({ name }) => name),
        server.complaints,
      ]).toEqual([
        [
          ['no.such tool!', {}],
          ['Bash', { command: 'a \ufffd b' }],
        ],
        'end',
        false,
        ['no_such_tool_', 'Bash'],
        [],
      ]);
    });

    test('parallel calls whose inputs come mixed keep their own', async () => {
      const { ask } = rig({ choices: [choiceFor(server)] });
      const commands = ['one', 'two', 'three'];
      server.enqueue([say.interleavedCalls(...commands.map((command) => say.call('Bash', { command })))]);
      const { reply } = await ask();
      expect(reply.parts.map((part) => (part.type === 'call' ? part.input : null))).toEqual(
        commands.map((command) => ({ command })),
      );
    });

    test.each<[string, say.Script, Partial<Reply>]>([
      ['an empty answer', [], { parts: [], stop: 'end' }],
      [
        'a length stop',
        [say.text('so far'), say.finish('length')],
        { parts: [{ type: 'text', text: 'so far' }], stop: 'length' },
      ],
      [
        'a refusal',
        [say.text('No.'), say.finish('refusal')],
        { parts: [{ type: 'text', text: 'No.' }], stop: 'refused' },
      ],
    ])('%s is a reply, and the conversation goes on after it', async (_name, script, reply) => {
      const { ask } = rig({ choices: [choiceFor(server)] });
      server.enqueue(script, [say.text('next')]);
      const first = await ask();
      const again: ContextMessage = { ...greeting, text: 'and now?', ref: 'm2' } as ContextMessage;
      const second = await ask({ messages: [greeting, assistant(first.reply), again] });
      expect([first.reply, second.reply.stop, server.complaints]).toEqual([
        expect.objectContaining(reply),
        'end',
        [],
      ]);
    });

    test('a model that writes without end stops at its limit', async () => {
      const { ask } = rig({ choices: [choiceFor(server, { maxOutputTokens: 200 })] });
      server.enqueue([say.endless('max_tokens')]);
      const { reply, usage } = await ask();
      expect([reply.stop, usage.outputTokens]).toEqual(['length', expect.closeTo(200, -1)]);
    });

    test('over 20 turns at least 90 % of the prompt is read from the cache', async () => {
      const { ask } = rig({ choices: [choiceFor(server)] });
      server.answerWith(() => [say.text('An answer of some length. '.repeat(20))]);
      const frame = { ...sampleFrame, system: 'A rule of the house. '.repeat(400) };
      const messages: ContextMessage[] = [];
      for (let turn = 1; turn <= 20; turn += 1) {
        messages.push({
          ...greeting,
          ref: `m${turn}`,
          text: 'A question of a person. '.repeat(4),
        } as ContextMessage);
        const { reply } = await ask({ frame, messages, step: `stp_${turn}` });
        messages.push(assistant(reply));
      }
      const last = server.requests.at(-1)?.prompt;
      expect({ share: cacheReadShare(server.requests) >= 0.9, complaints: server.complaints, last }).toEqual({
        share: true,
        complaints: [],
        last: expect.objectContaining({ cacheRead: expect.any(Number) }),
      });
    });
  });

test('Thinking of one model is not sent to another after a fail-over in the middle of a tool loop.', async () => {
  const [first, second] = await Promise.all([startModelServer('anthropic'), startModelServer('anthropic')]);
  const choices = [
    choiceFor(first, { thinkingTokens: 2_000 }),
    choiceFor(second, { ref: 'other/large', thinkingTokens: 2_000 }),
  ];
  const { ask } = rig({ choices });
  first.enqueue([say.thinking('mine'), say.calls(say.call('Bash', { command: 'ls' }))]);
  const begun = await ask({ step: 'stp_a' });
  first.answerWith(() => [say.httpError(400)]);
  second.answerWith(() => [say.text('taken over')]);
  const messages = [greeting, assistant(begun.reply), ...results(begun.reply)];
  const { reply } = await ask({ step: 'stp_b', messages });
  const body = second.requests[0]?.body as { readonly thinking?: unknown };
  const seen = { thinking: second.requests[0]?.ask?.turns[1]?.thinking, asked: body.thinking };
  const complaints = second.complaints;
  await Promise.all([first.close(), second.close()]);
  expect([reply.model, seen, complaints]).toEqual(['other/large', { thinking: '', asked: undefined }, []]);
});
