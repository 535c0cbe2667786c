import { describe, expect, test } from 'vitest';
import { type HookOutcome, noOutcome } from '../../../shared/domain/hooks/combine.ts';
import type { HookOccasion } from '../../../shared/domain/hooks/occasions.ts';
import type { HookRule } from '../../../shared/domain/hooks/rules.ts';
import { createAgentLoop } from '../../../electron/worker/agent/agent-loop.ts';
import type { HookPort } from '../../../electron/worker/agent/hook-port.ts';
import { fixedFrames, sampleFrame } from '../../support/sample-frame.ts';
import { factsOf, fakeModel, fakeTools } from '../support/fakes.ts';
import { ok } from '../support/messages.ts';
import { callsOf, replyOf, request, ScriptedPort, said, step } from '../support/scripted-port.ts';

const never = new AbortController().signal;
const reply = replyOf({ id: 'c1', tool: 'Echo', input: { text: 'old' } });
const rule: HookRule = {
  event: 'PreToolUse',
  matcher: null,
  command: 'guard',
  timeoutMs: 1,
  source: 'settings',
  dir: null,
  mayAllow: true,
};
const by = 'guard, user settings';

/** Hooks that say this at each event, and what they heard. */
function fakeHooks(answers: Partial<Record<HookOccasion['event'], Partial<HookOutcome> | 'cut'>>) {
  const heard: HookOccasion[] = [];
  const state = { version: 'v1' };
  const hooks: HookPort = {
    begins: 'startup',
    get version() {
      return state.version;
    },
    fire: async (occasion) => {
      heard.push(occasion);
      const answer = answers[occasion.event] ?? {};
      return answer === 'cut' ? 'cut' : { ...noOutcome, ...answer };
    },
  };
  return { hooks, heard, state, events: () => heard.map(({ event }) => event) };
}

function loop(
  hooks: HookPort,
  model = fakeModel([], { repeatLimit: null }),
  tools = fakeTools(() => ok('done')),
) {
  const frames = fixedFrames(sampleFrame('the frame'));
  return { ...tools, runner: createAgentLoop({ model: model.model, tools: tools.tools, frames, hooks }) };
}

const calls = { verb: 'nextStep', answer: callsOf(1, reply) } as const;
const granted = { verb: 'beginCall', answer: { kind: 'granted' } } as const;
const ended = { verb: 'endCall', answer: { next: { kind: 'idle' } } } as const;
const asking = { verb: 'beginCall', answer: { kind: 'asking', code: 'abcde' } } as const;
const inputOf = (port: ScriptedPort, verb: string) =>
  port.asked.filter((each) => each.verb === verb).map(({ input }) => input);

describe('what PreToolUse hooks say', () => {
  test.each([
    ['deny', { behavior: 'deny' }],
    ['ask', { behavior: 'ask' }],
    ['allow', { behavior: 'allow' }],
    ['defer', { behavior: 'ask', deferred: true }],
  ] as const)('%s stands in the facts that the daemon decides on', async (behavior, hook) => {
    const { hooks } = fakeHooks({ PreToolUse: { verdict: { behavior, reason: 'because', by, rule } } });
    const port = new ScriptedPort([calls, granted, ended]);
    await loop(hooks).runner.run(port, never);
    expect(inputOf(port, 'beginCall')).toEqual([
      {
        step: 'stp_1',
        call: 'c1',
        known: 0,
        facts: {
          ...factsOf({ id: 'c1', tool: 'Echo', input: { text: 'old' } }),
          hook: { reason: 'because', by, ...hook },
        },
      },
    ]);
  });

  test('a changed input is prepared anew, runs, and the model reads that it did', async () => {
    const { hooks } = fakeHooks({
      PreToolUse: { input: { value: { text: 'new' }, by }, context: [{ by, text: 'mind the gap' }] },
      PostToolUse: { block: { by, text: 'not formatted' } },
    });
    const port = new ScriptedPort([calls, granted, ended]);
    await loop(hooks).runner.run(port, never);
    expect([inputOf(port, 'beginCall'), inputOf(port, 'endCall')]).toEqual([
      [
        expect.objectContaining({
          facts: {
            ...factsOf({ id: 'c1', tool: 'Echo', input: { text: 'new' } }),
            changed: { by, asked: 'subject of c1' },
          },
        }),
      ],
      [
        expect.objectContaining({
          result: ok(
            [
              'done',
              `[The hook (${by}) changed the input of this call; what ran is: {"text":"new"}]`,
              `[hook (${by}): mind the gap]`,
              `[hook (${by}): not formatted]`,
            ].join('\n'),
          ),
        }),
      ],
    ]);
  });

  test('an input that cannot run is refused: the one before it does not run instead', async () => {
    const { hooks } = fakeHooks({ PreToolUse: { input: { value: { bad: true }, by } } });
    const tools = fakeTools(() => ok('done'));
    const prepare: typeof tools.tools.prepare = async (call) =>
      JSON.stringify(call.input).includes('bad')
        ? { kind: 'bad', message: 'Echo: "text" is missing.' }
        : tools.tools.prepare(call);
    const port = new ScriptedPort([calls, granted, ended]);
    await loop(hooks, undefined, { ...tools, tools: { ...tools.tools, prepare } }).runner.run(port, never);
    expect([tools.executed, inputOf(port, 'endCall')]).toEqual([
      [],
      [
        expect.objectContaining({
          result: {
            outcome: 'error',
            output: `Not run: the hook (${by}) changed the input of this call to one that cannot run. Echo: "text" is missing.`,
          },
        }),
      ],
    ]);
  });

  test('a call that waits for a person is not looked at again, unless the hooks are others now', async () => {
    const { hooks, events, state } = fakeHooks({});
    const port = new ScriptedPort([calls, asking, calls, asking, calls, asking]);
    const { runner } = loop(hooks);
    await runner.run(port, never);
    await runner.run(port, never);
    const before = events();
    state.version = 'v2';
    await runner.run(port, never);
    expect([before, events().slice(before.length)]).toEqual([
      ['PreToolUse', 'PermissionRequest', 'Notification'],
      ['PreToolUse'],
    ]);
  });

  test('of a call that the daemon does itself the change stands in its facts, for its result there', async () => {
    const { hooks } = fakeHooks({ PreToolUse: { input: { value: { text: 'new' }, by } } });
    const tools = fakeTools(() => ok('never'));
    const prepare: typeof tools.tools.prepare = async (call) => ({
      kind: 'ready',
      facts: { ...factsOf(call), class: 'local' },
    });
    const done = { kind: 'ended', result: ok('sent'), next: { kind: 'idle' } };
    const port = new ScriptedPort([calls, { verb: 'beginCall', answer: done }]);
    await loop(hooks, undefined, { ...tools, tools: { ...tools.tools, prepare } }).runner.run(port, never);
    const note = `[The hook (${by}) changed the input of this call; what ran is: {"text":"new"}]`;
    expect(inputOf(port, 'beginCall')).toEqual([
      expect.objectContaining({
        facts: expect.objectContaining({
          input: { text: 'new' },
          hook: { behavior: 'allow', reason: '', by: '', note },
        }),
      }),
    ]);
  });

  test('an end of the turn is its end, before the call or after it', async () => {
    const stop = { stop: { by, text: 'enough' } };
    const before = new ScriptedPort([calls, { verb: 'failTurn', answer: { kind: 'idle' } }]);
    const after = new ScriptedPort([calls, granted, ended, { verb: 'failTurn', answer: { kind: 'idle' } }]);
    await loop(fakeHooks({ PreToolUse: stop }).hooks).runner.run(before, never);
    await loop(fakeHooks({ PostToolUse: stop }).hooks).runner.run(after, never);
    const told = { turn: 'trn_1', reason: `Stopped by the hook (${by}): enough` };
    expect([inputOf(before, 'failTurn'), inputOf(after, 'failTurn')]).toEqual([[told], [told]]);
  });

  test('cut off, they leave the call undecided', async () => {
    const stop = new AbortController();
    const { hooks } = fakeHooks({ PreToolUse: 'cut' });
    const port = new ScriptedPort([calls]);
    const cutting: HookPort = {
      ...hooks,
      fire: async (...input) => {
        stop.abort();
        return hooks.fire(...input);
      },
    };
    expect([await loop(cutting).runner.run(port, stop.signal), port.left]).toEqual([{ why: 'asked' }, 0]);
  });
});

test('what a PermissionRequest hook decides is told to the daemon under the code that people see', async () => {
  const { hooks, heard } = fakeHooks({
    PermissionRequest: { verdict: { behavior: 'deny', reason: 'no', by, rule } },
  });
  const port = new ScriptedPort([calls, asking, { verb: 'hookVerdict', answer: { refused: null } }]);
  await loop(hooks).runner.run(port, never);
  expect([inputOf(port, 'hookVerdict'), heard.at(-1)]).toEqual([
    [{ call: 'c1', code: 'abcde', behavior: 'deny', reason: 'no', rule }],
    { event: 'Notification', kind: 'permission_prompt', message: 'Echo: subject of c1' },
  ]);
});

test('a PermissionRequest hook that a change cut short is asked again where the same question stays open, nobody is told twice', async () => {
  const answers: { PermissionRequest: Partial<HookOutcome> | 'cut' } = { PermissionRequest: 'cut' };
  const { hooks, events } = fakeHooks(answers);
  const { runner } = loop(hooks);
  const verdict = { verb: 'hookVerdict', answer: { refused: null } } as const;
  const port = new ScriptedPort([calls, asking, calls, asking, verdict, calls, asking]);
  await runner.run(port, never);
  answers.PermissionRequest = { verdict: { behavior: 'deny', reason: 'no', by, rule } };
  await runner.run(port, never);
  await runner.run(port, never);
  expect(events()).toEqual(['PreToolUse', 'PermissionRequest', 'Notification', 'PermissionRequest']);
});

describe('hooks of messages and turns', () => {
  const asked = (messages = [said(4, 'hello')]) =>
    ({ verb: 'nextStep', answer: { ...request(1, messages), step: { ...step(1), wakes: ['w1'] } } }) as const;
  const idle = { verb: 'recordReply', answer: { kind: 'idle' } } as const;

  test('what they add stands in the conversation before the request is made; it is not taken for news of files', async () => {
    const { hooks, events } = fakeHooks({
      SessionStart: { context: [{ by, text: 'the branch is main' }] },
      UserPromptSubmit: { context: [{ by, text: 'it is Monday' }] },
    });
    const model = fakeModel([replyOf()], { contextNeed: 'all' });
    const note = (seq: number, text: string, digest: string) => ({
      role: 'user',
      seq,
      text,
      turn: 'trn_1',
      note: digest,
    });
    const port = new ScriptedPort([
      asked(),
      { verb: 'note', answer: {} },
      { verb: 'context', answer: { messages: [note(5, 'first', 'hook:SessionStart')], more: false } },
      { verb: 'note', answer: {} },
      { verb: 'context', answer: { messages: [note(6, 'second', 'hook:UserPromptSubmit:m4')], more: false } },
      idle,
    ]);
    await loop(hooks, model).runner.run(port, never);
    expect([inputOf(port, 'note'), model.requests[0]?.messages.map(({ seq }) => seq), events()]).toEqual([
      [
        {
          turn: 'trn_1',
          text: `Added by the hook (${by}):\nthe branch is main`,
          digest: 'hook:SessionStart',
        },
        {
          turn: 'trn_1',
          text: `Added by the hook (${by}):\nit is Monday`,
          digest: 'hook:UserPromptSubmit:m4',
        },
      ],
      [4, 5, 6],
      ['SessionStart', 'UserPromptSubmit', 'Stop'],
    ]);
  });

  test('in a request that is repeated after a crash nothing is told twice, and blocking still counts', async () => {
    const { hooks, events } = fakeHooks({
      SessionStart: { context: [{ by, text: 'again' }] },
      UserPromptSubmit: { context: [{ by, text: 'again' }] },
    });
    const noted = (seq: number, note: string) =>
      ({ role: 'user', seq, text: 'told', turn: 'trn_1', note }) as const;
    const messages = [said(4, 'hello'), noted(5, 'hook:SessionStart'), noted(6, 'hook:UserPromptSubmit:m4')];
    const again = { ...asked(messages as never).answer, repeated: true };
    const model = fakeModel([replyOf(), replyOf()], { contextNeed: 'all' });
    const port = new ScriptedPort([{ verb: 'nextStep', answer: again }, idle]);
    await loop(hooks, model).runner.run(port, never);
    const later = { ...again, step: { ...again.step, n: 2, wakes: [] } };
    const next = fakeHooks({});
    await loop(next.hooks, model).runner.run(
      new ScriptedPort([{ verb: 'nextStep', answer: later }, idle]),
      never,
    );
    expect([events(), next.events(), inputOf(port, 'note')]).toEqual([
      ['SessionStart', 'UserPromptSubmit', 'Stop'],
      ['Stop'],
      [],
    ]);
  });

  test('a blocked message ends the turn with why, and no request is made', async () => {
    const { hooks } = fakeHooks({ UserPromptSubmit: { block: { by, text: 'a secret' } } });
    const model = fakeModel([]);
    const port = new ScriptedPort([asked(), { verb: 'failTurn', answer: { kind: 'idle' } }]);
    await loop(hooks, model).runner.run(port, never);
    expect([model.requests, inputOf(port, 'failTurn')]).toEqual([
      [],
      [{ turn: 'trn_1', reason: `This message was blocked by the hook (${by}): a secret` }],
    ]);
  });

  test('a Stop hook that wants more goes with the reply, and is told the second time that it did', async () => {
    const { hooks, heard } = fakeHooks({ Stop: { block: { by, text: 'the tests fail' } } });
    const port = new ScriptedPort([asked(), { verb: 'recordReply', answer: request(2, []) }, idle]);
    await loop(hooks, fakeModel([replyOf(), replyOf()])).runner.run(port, never);
    const goOn = `Your turn is not over yet. The hook (${by}) says: the tests fail`;
    expect([
      inputOf(port, 'recordReply').map((input) => (input as { goOn?: string }).goOn),
      heard.filter(({ event }) => event === 'Stop').map((each) => 'active' in each && each.active),
    ]).toEqual([
      [goOn, goOn],
      [false, true],
    ]);
  });
});
