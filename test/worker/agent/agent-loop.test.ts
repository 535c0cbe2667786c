import { describe, expect, test } from 'vitest';
import { KairosError } from '../../../shared/base/errors.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import { canonicalJson } from '../../../shared/base/json.ts';
import { fixedFrames, sampleFrame } from '../../support/sample-frame.ts';
import { createAgentLoop } from '../../../electron/worker/agent/agent-loop.ts';
import { fakeModel, fakeTools, factsOf } from '../support/fakes.ts';
import { callsOf, replyOf, request, ScriptedPort, said, step } from '../support/scripted-port.ts';
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

describe('following what the daemon grants', () => {
  test('a request is made with the messages of its turn, its reply stored, its calls begun, run and ended', async () => {
    const reply = replyOf(echo('c1'), echo('c2'));
    const model = fakeModel([reply, replyOf()]);
    const tools = fakeTools((id) => ok(`result of ${id}`));
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: request(1, [said(4, 'hello')]) },
      { verb: 'recordReply', answer: callsOf(1, reply) },
      { verb: 'context', answer: { messages: [], more: false } },
      { verb: 'beginCall', answer: { kind: 'granted' } },
      { verb: 'endCall', answer: { next: null } },
      { verb: 'beginCall', answer: { kind: 'granted' } },
      { verb: 'endCall', answer: { next: request(2, [said(9, 'more')]) } },
      { verb: 'recordReply', answer: { kind: 'turn_ended', turn: 'trn_1' } },
      idle,
    ]);

    const end = await loop(model, tools).run(port, never);

    expect({ end, left: port.left, executed: tools.executed, doing: port.doing }).toEqual({
      end: { why: 'idle' },
      left: 0,
      executed: ['c1', 'c2'],
      doing: ['thinking', null, 'Echo: subject of c1', null, 'Echo: subject of c2', null, 'thinking', null],
    });
    expect(model.requests.map((each) => [each.step, each.messages.map((message) => message.seq)])).toEqual([
      ['stp_1', [4]],
      ['stp_2', [4, 9]],
    ]);
    expect(port.asked.map(({ verb, input }) => [verb, input])).toEqual([
      ['nextStep', { known: 0 }],
      ['recordReply', expect.objectContaining({ step: 'stp_1', reply, known: 4 })],
      ['context', { after: 4, limit: 500 }],
      ['beginCall', { step: 'stp_1', call: 'c1', facts: factsOf(echo('c1')), known: 4 }],
      ['endCall', { call: 'c1', result: ok('result of c1'), known: 4 }],
      ['beginCall', { step: 'stp_1', call: 'c2', facts: factsOf(echo('c2')), known: 4 }],
      ['endCall', { call: 'c2', result: ok('result of c2'), known: 4 }],
      ['recordReply', expect.objectContaining({ step: 'stp_2', known: 9 })],
      ['nextStep', { known: 9 }],
    ]);
  });

  test.each([
    [{ kind: 'idle' }, { why: 'idle' }],
    [{ kind: 'waiting', call: 'c1' }, { why: 'waiting' }],
    [
      { kind: 'refused', why: 'paused', reason: 'Paused.' },
      { why: 'refused', reason: 'Paused.' },
    ],
  ])('%j ends the run', async (answer, end) => {
    const port = new ScriptedPort([{ verb: 'nextStep', answer }]);
    expect(await loop(fakeModel([])).run(port, never)).toEqual(end);
  });

  test('a call that asks or sleeps ends the run as waiting, and is begun again with fresh facts at the next run', async () => {
    const reply = replyOf(echo('c1'));
    const runner = loop(fakeModel([], { repeatLimit: null }));
    const asking = new ScriptedPort([
      { verb: 'nextStep', answer: callsOf(1, reply) },
      { verb: 'beginCall', answer: { kind: 'asking', code: 'abcde' } },
      { verb: 'nextStep', answer: callsOf(1, reply) },
      { verb: 'beginCall', answer: { kind: 'sleeping', until: 5 } },
      { verb: 'nextStep', answer: callsOf(1, reply) },
      { verb: 'beginCall', answer: { kind: 'granted' } },
      { verb: 'endCall', answer: { next: { kind: 'idle' } } },
    ]);
    const ends = [];
    for (let run = 0; run < 3; run += 1) ends.push(await runner.run(asking, never));
    expect([ends, asking.left]).toEqual([[{ why: 'waiting' }, { why: 'waiting' }, { why: 'idle' }], 0]);
  });

  test('people see why the model is asked again later instead of that it thinks', async () => {
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: request(1, []) },
      { verb: 'recordReply', answer: { kind: 'idle' } },
    ]);
    const { model } = fakeModel([replyOf()]);
    const waiting = fakeModel([], {
      request: (input) => {
        for (const text of ['it waits', null]) input.onWait?.(text);
        return model.request(input);
      },
    });
    await loop(waiting).run(port, never);
    expect(port.doing).toEqual(['thinking', 'it waits', 'thinking', null]);
  });

  test('calls that have ended are not begun, and one that the daemon ended itself is not run', async () => {
    const reply = replyOf(echo('c1'), echo('c2'));
    const tools = fakeTools(() => ok('never'));
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: callsOf(1, reply, { c1: ok('done before') }) },
      {
        verb: 'beginCall',
        answer: { kind: 'ended', result: { outcome: 'denied', output: 'no' }, next: { kind: 'idle' } },
      },
    ]);
    const end = await loop(fakeModel([], { repeatLimit: null }), tools).run(port, never);
    expect([end, tools.executed, port.left]).toEqual([{ why: 'idle' }, [], 0]);
  });

  test('the frame is pinned once, and only when the session has none', async () => {
    const port = new ScriptedPort([{ verb: 'pinFrame', answer: { frame: 'f' } }, idle, idle], {
      frame: null,
    });
    const runner = loop(fakeModel([]));
    await runner.run(port, never);
    await runner.run(port, never);
    expect([port.left, port.asked[0]]).toEqual([
      0,
      { verb: 'pinFrame', input: { content: canonicalJson(sampleFrame('the frame')) } },
    ]);
  });

  test('more context is paged in before the request, past pages without messages', async () => {
    const model = fakeModel([replyOf()], { contextNeed: 'all' });
    const old = { ...said(2, 'old'), turn: 'trn_0' };
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: request(1, [old], true) },
      { verb: 'context', answer: { messages: [], more: true } },
      { verb: 'context', answer: { messages: [said(7, 'new')], more: false } },
      { verb: 'recordReply', answer: { kind: 'idle' } },
    ]);
    await loop(model).run(port, never);
    expect([model.requests[0]?.messages.map((message) => message.seq), port.asked.slice(1, 3)]).toEqual([
      [2, 7],
      [
        { verb: 'context', input: { after: 2, limit: 500 } },
        { verb: 'context', input: { after: 3, limit: 500 } },
      ],
    ]);
  });

  test('a model that needs the turn only starts after the earlier turns and forgets the last one', async () => {
    const model = fakeModel([replyOf(), replyOf()]);
    const later = { ...said(20, 'second'), turn: 'trn_2' };
    const second = { ...request(2, [later]), step: { ...step(2), turn: 'trn_2' } };
    const port = new ScriptedPort(
      [
        { verb: 'nextStep', answer: request(1, [said(12, 'first')]) },
        { verb: 'recordReply', answer: { kind: 'turn_ended', turn: 'trn_1' } },
        { verb: 'nextStep', answer: second },
        { verb: 'recordReply', answer: { kind: 'idle' } },
      ],
      { turnSeq: 10 },
    );
    await loop(model).run(port, never);
    expect([
      port.asked[0]?.input,
      model.requests.map((each) => each.messages.map((message) => message.seq)),
    ]).toEqual([{ known: 10 }, [[12], [20]]]);
  });
});

describe('calls that cannot run', () => {
  test.each([
    ['Unknown', 'There is no tool "Unknown".'],
    ['Broken', 'Broken: broken inside'],
  ])(
    'tool %s: the complaint is decided on and stored like any call, and nothing is executed',
    async (tool, complaint) => {
      const tools = fakeTools(() => ok('never'));
      const port = new ScriptedPort([
        { verb: 'nextStep', answer: callsOf(1, replyOf(echo('c1', { x: 1 }, tool))) },
        { verb: 'beginCall', answer: { kind: 'granted' } },
        { verb: 'endCall', answer: { next: { kind: 'idle' } } },
      ]);
      await loop(fakeModel([], { repeatLimit: null }), tools).run(port, never);
      const facts = {
        tool,
        input: { x: 1 },
        class: 'pure',
        access: 'person',
        cwd: '/work-dir',
        subject: '',
        paths: [],
        preimages: [],
        preview: complaint,
        description: '',
      };
      expect([port.asked.slice(1), tools.executed]).toEqual([
        [
          { verb: 'beginCall', input: { step: 'stp_1', call: 'c1', facts, known: 0 } },
          {
            verb: 'endCall',
            input: { call: 'c1', result: { outcome: 'error', output: complaint }, known: 0 },
          },
        ],
        [],
      ]);
    },
  );

  test('the sixth equal call in a row is answered with an error; another call in between starts the count anew', async () => {
    const tools = fakeTools(() => ok('again'));
    const equal = (n: number) => echo(`c${n}`, n % 2 === 0 ? { a: 1, b: 2 } : { b: 2, a: 1 });
    const earlier = [1, 2, 3].map((n) => ({
      role: 'assistant' as const,
      seq: n,
      reply: replyOf(equal(n)),
      turn: 'trn_1',
    }));
    const now = replyOf(equal(4), equal(5), equal(6), echo('c7', 'other'), equal(8));
    const begun = { verb: 'beginCall', answer: { kind: 'granted' } } as const;
    const ended = { verb: 'endCall', answer: { next: null } } as const;
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: callsOf(4, now) },
      {
        verb: 'context',
        answer: {
          messages: [...earlier, { role: 'assistant', seq: 9, reply: now, turn: 'trn_1' }],
          more: false,
        },
      },
      begun,
      ended,
      begun,
      ended,
      begun,
      ended,
      begun,
      ended,
      begun,
      { verb: 'endCall', answer: { next: { kind: 'idle' } } },
    ]);
    await loop(fakeModel([]), tools).run(port, never);
    const results = port.asked.flatMap(({ verb, input }) =>
      verb === 'endCall' ? [(input as { result: CallResult }).result.output.slice(0, 40)] : [],
    );
    expect([tools.executed, results]).toEqual([
      ['c4', 'c5', 'c7', 'c8'],
      ['again', 'again', 'Not run: this exact Echo call was made 5', 'again', 'again'],
    ]);
  });
});

describe('when things go wrong', () => {
  test.each(['recordReply', 'beginCall', 'endCall'] as const)(
    'a stale %s drops the work and asks again',
    async (verb) => {
      const reply = replyOf(echo('c1'));
      const answers = {
        recordReply: [request(1, []), { fault: 'stale' }],
        beginCall: [callsOf(1, reply), { fault: 'stale' }],
        endCall: [callsOf(1, reply), { kind: 'granted' }, { fault: 'stale' }],
      }[verb];
      const verbs = ['nextStep', ...(verb === 'endCall' ? ['beginCall'] : []), verb] as const;
      const turns = verbs.map((each, index) => ({ verb: each as 'nextStep', answer: answers[index] }));
      const port = new ScriptedPort([...turns, idle]);
      const end = await loop(fakeModel([reply], { repeatLimit: null })).run(port, never);
      expect([end, port.left]).toEqual([{ why: 'idle' }, 0]);
    },
  );

  test('a stale nextStep means that the lease is gone', async () => {
    const port = new ScriptedPort([{ verb: 'nextStep', answer: { fault: 'stale' } }]);
    expect(await loop(fakeModel([])).run(port, never)).toEqual({ why: 'asked' });
  });

  test('work that stays stale does not go round for ever', async () => {
    const turns = Array.from({ length: 50 }, () => [
      { verb: 'nextStep' as const, answer: callsOf(1, replyOf(echo('c1'))) },
      { verb: 'beginCall' as const, answer: { fault: 'stale' } },
    ]).flat();
    const end = await loop(fakeModel([], { repeatLimit: null })).run(new ScriptedPort(turns), never);
    expect(end).toEqual({ why: 'failed', reason: 'scripted fault' });
  });

  test('another fault of the link is the caller’s to handle', async () => {
    const port = new ScriptedPort([{ verb: 'nextStep', answer: { fault: 'disk_full' } }]);
    await expect(loop(fakeModel([])).run(port, never)).rejects.toMatchObject({ code: 'disk_full' });
  });

  test('a model that fails parks the session with its reason', async () => {
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: request(1, []) },
      { verb: 'park', answer: {} },
    ]);
    const model = fakeModel([new KairosError('model_overloaded', 'The model is busy.')]);
    expect([await loop(model).run(port, never), port.asked[1]]).toEqual([
      { why: 'refused', reason: 'The model is busy.' },
      { verb: 'park', input: { code: 'model_overloaded', reason: 'The model is busy.' } },
    ]);
  });

  test('a model that cannot be used parks the session before a step is begun', async () => {
    const port = new ScriptedPort([{ verb: 'park', answer: {} }]);
    const model = fakeModel([], { problem: { code: 'model_unavailable', reason: 'Not here.' } });
    expect(await loop(model).run(port, never)).toEqual({ why: 'refused', reason: 'Not here.' });
  });

  test('a reply that is larger than may be stored is replaced by a short one that says so', async () => {
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: request(1, []) },
      { verb: 'recordReply', answer: { fault: 'too_large' } },
      { verb: 'recordReply', answer: { kind: 'idle' } },
    ]);
    await loop(fakeModel([replyOf(echo('c1'))])).run(port, never);
    expect(port.asked[2]?.input).toMatchObject({
      reply: { parts: [{ type: 'text', text: expect.stringContaining('8 MB') }], stop: 'error' },
    });
  });

  test('a tool that throws gives an error result', async () => {
    const tools = fakeTools(() => Promise.reject(new Error('disk on fire')));
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: callsOf(1, replyOf(echo('c1'))) },
      { verb: 'beginCall', answer: { kind: 'granted' } },
      { verb: 'endCall', answer: { next: { kind: 'idle' } } },
    ]);
    await loop(fakeModel([], { repeatLimit: null }), tools).run(port, never);
    expect(port.asked[2]?.input).toMatchObject({
      result: { outcome: 'error', output: 'Echo failed: disk on fire' },
    });
  });
});

describe('stopping', () => {
  test('asked to stop during a call, the loop stores its result and begins nothing more', async () => {
    const stop = new AbortController();
    const tools = fakeTools(() => {
      stop.abort();
      return ok('finished');
    });
    const port = new ScriptedPort([
      { verb: 'nextStep', answer: callsOf(1, replyOf(echo('c1'), echo('c2'))) },
      { verb: 'beginCall', answer: { kind: 'granted' } },
      { verb: 'endCall', answer: { next: null } },
    ]);
    const end = await loop(fakeModel([], { repeatLimit: null }), tools).run(port, stop.signal);
    expect([end, tools.executed, port.left]).toEqual([{ why: 'asked' }, ['c1'], 0]);
  });

  test('an interrupt reaches the running tool; its result is offered and a stale answer ends the run', async () => {
    const port: ScriptedPort = new ScriptedPort([
      { verb: 'nextStep', answer: callsOf(1, replyOf(echo('c1'))) },
      { verb: 'beginCall', answer: { kind: 'granted' } },
      { verb: 'endCall', answer: { fault: 'stale' } },
    ]);
    const tools = fakeTools(
      () =>
        new Promise((resolve) => {
          port.interrupt.addEventListener('abort', () => resolve({ outcome: 'interrupted', output: 'cut' }));
          port.interrupter.abort();
        }),
    );
    const end = await loop(fakeModel([], { repeatLimit: null }), tools).run(port, never);
    expect([end, port.asked[2]?.input]).toEqual([
      { why: 'asked' },
      { call: 'c1', result: { outcome: 'interrupted', output: 'cut' }, known: 0 },
    ]);
  });

  test('a request that an interrupt ends parks nothing', async () => {
    const port = new ScriptedPort([{ verb: 'nextStep', answer: request(1, []) }]);
    const model = fakeModel([], {
      request: async () => {
        port.interrupter.abort();
        throw new Error('aborted');
      },
    });
    expect(await loop(model).run(port, never)).toEqual({ why: 'asked' });
  });
});
