import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../shared/base/json.ts';
import { fixedFrames, sampleFrame } from '../../support/sample-frame.ts';
import { createAgentLoop } from '../../../electron/worker/agent/agent-loop.ts';
import { fakeModel, fakeTools } from '../support/fakes.ts';
import { callsOf, replyOf, request, ScriptedPort, said } from '../support/scripted-port.ts';
import { ok } from '../support/messages.ts';

const never = new AbortController().signal;
const idle = { verb: 'nextStep', answer: { kind: 'idle' } } as const;
const echo = (id: string, input: unknown = { text: id }, tool = 'Echo') => ({ id, tool, input });

function loop(model: ReturnType<typeof fakeModel>, tools = fakeTools(() => ok('done'))) {
  return createAgentLoop({
    model: model.model,
    tools: tools.tools,
    frames: fixedFrames(sampleFrame('the frame')),
  });
}

describe('a model that does not stop', () => {
  const equal = (n: number) => echo(`c${n}`, { same: true });

  test('that makes the refused call once more has its turn ended with a notice', async () => {
    const tools = fakeTools(() => ok('again'));
    const reply = replyOf(...[1, 2, 3, 4].map(equal));
    const begun = { verb: 'beginCall', answer: { kind: 'granted' } } as const;
    const ended = { verb: 'endCall', answer: { next: null } } as const;
    const port = new ScriptedPort(
      [
        { verb: 'nextStep', answer: callsOf(1, reply) },
        { verb: 'context', answer: { messages: [], more: false } },
        begun,
        ended,
        begun,
        ended,
        begun,
        ended,
        { verb: 'failTurn', answer: { kind: 'turn_ended', turn: 'trn_1' } },
        idle,
      ],
      { loop: { repeatLimit: 2, sessionMemory: false } },
    );
    const end = await loop(fakeModel([]), tools).run(port, never);
    expect([end, tools.executed, port.asked.at(-2)]).toEqual([
      { why: 'idle' },
      ['c1', 'c2'],
      {
        verb: 'failTurn',
        input: {
          turn: 'trn_1',
          reason:
            'Stopped: the model made the same Echo call 4 times in a row and went on after it was told. Say what it should do instead, or choose another model.',
        },
      },
    ]);
  });
});

test('A reply with more calls than can be stored is not: its place takes a word about it, none is run.', async () => {
  const reply = replyOf(...Array.from({ length: 5_001 }, (_, at) => echo(`c${at}`)));
  const port = new ScriptedPort([
    { verb: 'nextStep', answer: request(1, [said(1, 'go')]) },
    { verb: 'recordReply', answer: { kind: 'turn_ended', turn: 'trn_1' } },
    idle,
  ]);
  await loop(fakeModel([reply])).run(port, never);
  expect(port.asked[1]?.input).toMatchObject({
    reply: {
      parts: [
        {
          type: 'text',
          text: 'The reply asked for 5001 calls at once, more than can be stored (5000). None of them was run. Ask for fewer at a time.',
        },
      ],
      stop: 'error',
    },
  });
});

describe('what is pinned', () => {
  const all = {
    contextNeed: 'all',
    limits: { ref: 'm', contextTokens: 50_000, maxOutputTokens: 1_000 },
  } as const;
  const frame = sampleFrame('the frame');
  const changed = (model: ReturnType<typeof fakeModel>, known: string[]) =>
    createAgentLoop({
      model: model.model,
      tools: fakeTools(() => ok('')).tools,
      frames: {
        ...fixedFrames({ ...frame, instructions: 'd1' }),
        news: async (digest) => {
          known.push(digest);
          return digest === 'd2' ? null : { digest: 'd2', text: 'AGENTS.md changed.' };
        },
      },
    });
  const pinned = canonicalJson({ ...frame, instructions: 'd1' });

  test.each([
    ['nothing is pinned', { frame: null, frameContent: null }],
    ['another build pinned it', { frameContent: canonicalJson({ ...frame, build: 'older' }) }],
    ['the model is another', { frameContent: canonicalJson({ ...frame, model: 'another' }) }],
    ['brief mode was switched', { frameContent: canonicalJson({ ...frame, brief: false }) }],
    ['what is pinned is no frame', { frameContent: 'scripted frame' }],
  ])('is made anew when %s', async (_, lease) => {
    const port = new ScriptedPort([{ verb: 'pinFrame', answer: { frame: 'f2' } }, idle], lease);
    await loop(fakeModel([])).run(port, never);
    expect(port.asked[0]).toEqual({ verb: 'pinFrame', input: { content: canonicalJson(frame) } });
  });

  test('stays, and instruction files that changed are told once at the beginning of a turn', async () => {
    const known: string[] = [];
    const model = fakeModel([replyOf(), replyOf()], all);
    const note = { role: 'user', seq: 5, text: 'AGENTS.md changed.', turn: 'trn_1', note: 'd2' };
    const port = new ScriptedPort(
      [
        { verb: 'nextStep', answer: request(1, [said(4, 'hello')]) },
        { verb: 'note', answer: {} },
        { verb: 'context', answer: { messages: [note], more: false } },
        { verb: 'recordReply', answer: { kind: 'turn_ended', turn: 'trn_1' } },
        { verb: 'nextStep', answer: request(1, [said(9, 'again')]) },
        { verb: 'recordReply', answer: { kind: 'idle' } },
      ],
      { frameContent: pinned },
    );
    await changed(model, known).run(port, never);
    expect([
      known,
      port.asked[1]?.input,
      model.requests.map((each) => each.messages.map((message) => message.seq)),
    ]).toEqual([
      ['d1', 'd2'],
      { turn: 'trn_1', digest: 'd2', text: 'AGENTS.md changed.' },
      [
        [4, 5],
        [4, 5, 9],
      ],
    ]);
  });

  test('and a request that is repeated is told nothing new', async () => {
    const known: string[] = [];
    const repeated = { ...request(1, [said(4, 'hello')]), repeated: true };
    const port = new ScriptedPort(
      [
        { verb: 'nextStep', answer: repeated },
        { verb: 'recordReply', answer: { kind: 'idle' } },
      ],
      { frameContent: pinned },
    );
    await changed(fakeModel([replyOf()], all), known).run(port, never);
    expect(known).toEqual([]);
  });

  test('the daemon hears how large the next request will be', async () => {
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: request(1, [said(4, 'x'.repeat(3_500))]) },
      { verb: 'recordReply', answer: { kind: 'idle' } },
    ]);
    await loop(fakeModel([{ ...replyOf(), parts: [{ type: 'text', text: 'y'.repeat(700) }] }], all)).run(
      port,
      never,
    );
    const sizes = port.asked.map(({ input }) => (input as { contextTokens?: number }).contextTokens ?? 0);
    expect([sizes[0] ?? 0, Math.round((sizes[1] ?? 0) / 100)]).toEqual([expect.any(Number), 12]);
  });

  test('an interrupt while the context is made smaller stores nothing and parks nothing', async () => {
    const port: ScriptedPort = new ScriptedPort([
      {
        verb: 'nextStep',
        answer: request(
          1,
          [4, 5, 6].map((seq) => said(seq, 'word '.repeat(60_000))),
        ),
      },
      { verb: 'beginSide', answer: { id: 'side_1' } },
    ]);
    const write = async () => {
      port.interrupter.abort();
      throw new Error('aborted');
    };
    const end = await loop(
      fakeModel([], { ...all, limits: { ...all.limits, contextTokens: 8_000 }, write }),
    ).run(port, never);
    expect([end, port.left]).toEqual([{ why: 'asked' }, 0]);
  });
});

describe('what is too large', () => {
  test('to be stored is not counted for the next request', async () => {
    const huge = 'x'.repeat(700_000);
    const sizes = (port: ScriptedPort, verb: string) =>
      port.asked
        .filter((each) => each.verb === verb)
        .map(({ input }) => (input as { contextTokens: number }).contextTokens > 100_000);
    const replied = new ScriptedPort([
      { verb: 'nextStep', answer: request(1, []) },
      { verb: 'recordReply', answer: { fault: 'too_large' } },
      { verb: 'recordReply', answer: { kind: 'idle' } },
    ]);
    const reply = replyOf({ ...echo('c1'), input: { text: huge } });
    await loop(fakeModel([reply], { contextNeed: 'all' })).run(replied, never);
    const called = new ScriptedPort([
      { verb: 'nextStep', answer: callsOf(1, replyOf(echo('c1'))) },
      { verb: 'beginCall', answer: { kind: 'granted' } },
      { verb: 'endCall', answer: { fault: 'too_large' } },
      { verb: 'endCall', answer: { next: { kind: 'idle' } } },
    ]);
    const tools = fakeTools(async () => ok(huge));
    await loop(fakeModel([], { contextNeed: 'all', repeatLimit: null }), tools).run(called, never);
    expect([sizes(replied, 'recordReply'), sizes(called, 'endCall')]).toEqual([
      [true, false],
      [true, false],
    ]);
  });
});
