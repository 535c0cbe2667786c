import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallResult, ContextMessage, Reply, ReplyPart } from '../../../shared/domain/messages.ts';
import type { ModelChoice } from '../../../shared/domain/models.ts';
import { providerPrompt } from '../../../electron/worker/model/prompt/provider-prompt.ts';
import { turnsOf } from '../../../electron/worker/model/prompt/turns.ts';
import { sampleFrame } from './support/model-rig.ts';

const large = { ref: 'anthropic/large', wire: 'anthropic', images: true } as ModelChoice;
const small = { ref: 'openai/small', wire: 'openai', images: true } as ModelChoice;
const turn = 'trn_1';
const user = (text: string, ref?: string): ContextMessage => ({ role: 'user', seq: 0, text, ref, turn });
const says = (parts: readonly ReplyPart[], model = large.ref): ContextMessage => {
  const reply: Reply = { model, parts: [...parts], stop: 'end' };
  return { role: 'assistant', seq: 0, reply, turn };
};
const text = (words: string): ReplyPart => ({ type: 'text', text: words });
const call = (id: string, tool = 'Bash', input: unknown = {}, via?: string): ReplyPart => ({
  type: 'call',
  id,
  tool,
  input,
  ...(via === undefined ? {} : { via }),
});
const thought = (signature?: string, provider = 'anthropic'): ReplyPart => ({
  type: 'thinking',
  text: 'hm',
  provider,
  ...(signature === undefined ? {} : { signature }),
});
const result = (id: string, more: Partial<CallResult> = {}, tool = 'Bash'): ContextMessage => ({
  role: 'result',
  seq: 0,
  call: id,
  tool,
  result: { outcome: 'ok', output: 'out', ...more },
  turn,
});
const none = new Map<string, string>();
const contents = (messages: readonly ContextMessage[], model = large, pictures = none) =>
  providerPrompt(sampleFrame, messages, model, pictures)
    .prompt.slice(1)
    .map(({ role, content }) => ({
      role,
      content,
    }));

describe('turns', () => {
  test('alternate; messages in a row are one turn, with their refs', () => {
    expect(turnsOf([user('a', 'm1'), user(' ', 'm2'), says([text('b')]), user('nudge')], large)).toEqual([
      { side: 'person', results: [], texts: ['[m1] a', '[m2] (empty)'] },
      { side: 'model', parts: [text('b')], foreign: false },
      { side: 'person', results: [], texts: ['nudge'] },
    ]);
  });

  test('give every call a result right after it: a missing one is made up, a late one comes as text', () => {
    const turns = turnsOf(
      [
        user('go'),
        says([call('c1'), call('c2')]),
        result('c2'),
        user('more'),
        says([text('x')]),
        result('c1'),
      ],
      large,
    );
    expect(turns.slice(2)).toEqual([
      {
        side: 'person',
        results: [
          { call: 'c2', tool: 'Bash', result: { outcome: 'ok', output: 'out' } },
          { call: 'c1', tool: 'Bash', result: expect.objectContaining({ outcome: 'unknown' }) },
        ],
        texts: ['more'],
      },
      { side: 'model', parts: [text('x')], foreign: false },
      { side: 'person', results: [], texts: ['[late result of Bash]\n> out'] },
    ]);
  });

  test('begin and end with the person, whatever is stored', () => {
    expect(turnsOf([says([text('x')])], large).map(({ side }) => side)).toEqual([
      'person',
      'model',
      'person',
    ]);
    expect(turnsOf([], large).map(({ side }) => side)).toEqual(['person']);
  });

  test('leave out replies that say nothing: empty ones, and thinking without an end', () => {
    const turns = turnsOf([user('a'), says([]), user('b'), says([thought('sig')]), user('c')], large);
    expect(turns).toEqual([{ side: 'person', results: [], texts: ['a', 'b', 'c'] }]);
  });

  test('keep thinking only for the model that signed it', () => {
    const own = says([thought('sig'), thought(), thought('x', 'other'), text('a')]);
    const foreign = says([thought('sig'), text('b')], 'anthropic/older');
    const parts = turnsOf([user('q'), own, user('r'), foreign, user('s')], large).flatMap((each) =>
      each.side === 'model' ? [each.parts] : [],
    );
    expect(parts).toEqual([[thought('sig'), text('a')], [text('b')]]);
  });
});

describe('the prompt', () => {
  test('calls go back as they were made, with input that is always an object', () => {
    const calls = [
      call('c1', 'Grep', { pattern: 'x' }, 'UseTool'),
      call('c2', 'Bash', '{"comm'),
      call('c3', 'Bash', [1]),
    ];
    const [, assistant] = contents([user('q'), says(calls)]);
    expect(assistant?.content).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'UseTool',
        input: { name: 'Grep', input: { pattern: 'x' } },
      },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'Bash', input: { malformed: '{"comm' } },
      { type: 'tool-call', toolCallId: 'c3', toolName: 'Bash', input: { value: [1] } },
    ]);
  });

  test('results say how they ended', () => {
    const outcomes = ['ok', 'error', 'denied', 'unknown', 'interrupted'] as const;
    const [, , tool] = contents([
      user('q'),
      says(outcomes.map((outcome) => call(outcome))),
      ...outcomes.map((outcome) => result(outcome, { outcome, output: outcome === 'ok' ? '' : 'why' })),
    ]);
    const content = (tool?.content ?? []) as { output: unknown }[];
    expect(content.map(({ output }) => output)).toEqual([
      { type: 'text', value: '(no output)' },
      { type: 'error-text', value: 'why' },
      { type: 'error-text', value: 'Not allowed, so it did not run. why' },
      { type: 'error-text', value: 'Outcome unknown. why' },
      { type: 'error-text', value: 'Interrupted before its end. why' },
    ]);
  });

  test('pictures are in the result where the wire can, follow it where not, and are named where no model sees them', () => {
    const images = [
      { hash: 'h1', mediaType: 'image/png', bytes: 3 },
      { hash: 'gone', mediaType: 'image/png', bytes: 3 },
    ];
    const messages = [user('q'), says([call('c1', 'Read')]), result('c1', { images }, 'Read')];
    const pictures = new Map([['h1', 'AAAA']]);
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } };
    const lost = 'out\n(A picture came with it, but the stored file is gone.)';
    const part = { type: 'tool-result', toolCallId: 'c1', toolName: 'Read' };
    const blind = { ...small, images: false };
    expect([large, small, blind].map((model) => contents(messages, model, pictures).slice(2))).toEqual([
      [
        {
          role: 'tool',
          content: [{ ...part, output: { type: 'content', value: [{ type: 'text', text: lost }, file] } }],
        },
      ],
      [
        { role: 'tool', content: [{ ...part, output: { type: 'text', value: lost } }] },
        { role: 'user', content: [{ type: 'text', text: 'Pictures from the result of Read:' }, file] },
      ],
      [
        {
          role: 'tool',
          content: [
            {
              ...part,
              output: {
                type: 'text',
                value: 'out\n(2 pictures came with it; this model reads no pictures.)',
              },
            },
          ],
        },
      ],
    ]);
  });

  test('no thinking is asked for in a tool loop that another model began', () => {
    const loop = [user('q'), says([call('c1')], small.ref), result('c1')];
    const ended = [...loop, says([text('x')], small.ref), user('next')];
    expect(
      [loop, ended].map((messages) => providerPrompt(sampleFrame, messages, large, none).mayThink),
    ).toEqual([false, true]);
  });

  test('marks for the cache stand at the end of the newest two turns of the person; other wires get none', () => {
    const messages = [user('a'), says([call('c1')]), result('c1'), user('b'), says([text('x')]), user('c')];
    const marked = (model: ModelChoice) =>
      providerPrompt(sampleFrame, messages, model, none)
        .prompt.slice(1)
        .map(({ role, providerOptions }) => `${role}${providerOptions === undefined ? '' : ' marked'}`);
    expect([marked(large), marked(small).some((each) => each.includes('marked'))]).toEqual([
      ['user', 'assistant', 'tool', 'user marked', 'assistant', 'user marked'],
      false,
    ]);
  });
});

/** Conversations as a store may hold them after crashes and interrupts, cut off anywhere. */
const history = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        user('a'),
        user('b', 'm2'),
        says([]),
        says([text('x')]),
        says([thought('s'), text('y')]),
      ),
      fc.constantFrom('calls' as const, 'other calls' as const, 'result' as const, 'late' as const),
    ),
    { maxLength: 12 },
  )
  .map((steps) => {
    let id = 0;
    return steps.flatMap((step): ContextMessage[] => {
      if (typeof step !== 'string') return [step];
      if (step === 'result') return [result(`c${id}`)];
      if (step === 'late') return [result(`c${Math.max(1, id - 1)}`)];
      id += 2;
      const model = step === 'calls' ? large.ref : small.ref;
      return [says([thought('s'), call(`c${id - 1}`), call(`c${id}`)], model)];
    });
  });

describe('whatever is stored', () => {
  test('sides alternate, every call has one result right after it, and no message is empty', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(large, small), (messages, model) => {
        const turns = turnsOf(messages, model);
        turns.forEach((each, index) => {
          expect(each.side).toBe(index % 2 === 0 ? 'person' : 'model');
          const next = turns[index + 1];
          if (each.side === 'person') expect(each.results.length + each.texts.length).toBeGreaterThan(0);
          if (each.side !== 'model' || next?.side !== 'person') return;
          const calls = each.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
          expect(next.results.map((answered) => answered.call).sort()).toEqual(calls.sort());
        });
        expect(turns.at(-1)?.side).toBe('person');
      }),
    );
  });

  test('a longer conversation begins with the bytes of the shorter one that was asked before', () => {
    fc.assert(
      fc.property(history, fc.nat(12), fc.constantFrom(large, small), (before, at, model) => {
        // What was asked ended with the person's side; what follows it is the reply.
        const asked = [...before.slice(0, at), user('now')];
        const later = [...asked, says([text('answer')]), ...before.slice(at), user('again')];
        const bytes = (messages: readonly ContextMessage[]) =>
          contents(messages, model).map((message) => JSON.stringify(message));
        const short = bytes(asked);
        expect(bytes(later).slice(0, short.length)).toEqual(short);
      }),
    );
  });
});
