import { describe, expect, it } from 'vitest';
import type { HostInput } from '../../../electron/daemon/sessions/host-tools/host-input.ts';
import { isHostTool, planHostTool } from '../../../electron/daemon/sessions/host-tools/plan-host-tool.ts';
import { commandFacts } from '../support/daemon-rig.ts';

const here = { surface: 'viewers' };
const there = { surface: 'telegram', chat: '7' };
const m1 = { wake: 'wak_1', ref: 'm1', route: here, answered: false };
const m2 = { wake: 'wak_2', ref: 'm2', route: there, answered: false };

const places: HostInput['places'] = {
  dir: '/w',
  ownScratch: '/home/k/scratch/ses_1',
  rules: [],
  self: { home: '/home/k', scratch: '/home/k/scratch', words: [] },
};

function plan(
  tool: string,
  given: unknown,
  change: Partial<HostInput> = {},
): ReturnType<typeof planHostTool>['plan'] {
  const facts = { ...commandFacts(''), tool, input: given };
  const usual = { prompt: null, owed: [m1], now: 1000, promptLifeMs: 5000, mode: 'default', places } as const;
  return planHostTool({ facts, ...usual, ...change }).plan;
}

const prompt = (state: string, verdict: unknown): HostInput['prompt'] =>
  ({ state, verdict }) as HostInput['prompt'];

describe('SendUserMessage', () => {
  it.each([
    ['to the one chat that waits', { message: 'Hi' }, [m1], here, null],
    ['to the chat it names', { message: 'Hi', in_reply_to: 'm2' }, [m1, m2], there, 'm2'],
    ['to the chat that still waits', { message: 'Hi' }, [{ ...m1, answered: true }, m2], there, null],
    [
      'to the only chat again when all were answered',
      { message: 'Hi' },
      [{ ...m1, answered: true }],
      here,
      null,
    ],
    ['to the viewers when nobody waits', { message: 'Hi' }, [], here, null],
    ['once for two messages of one chat', { message: 'Hi' }, [m2, { ...m2, ref: 'm3' }], there, null],
  ])('goes %s', (_title, given, owed, route, inReplyTo) => {
    expect(plan('SendUserMessage', given, { owed })).toEqual({
      do: 'send',
      message: { text: 'Hi', status: 'normal', inReplyTo, routes: [route] },
      result: { outcome: 'ok', output: 'Delivered.' },
    });
  });

  it.each([
    ['several chats wait', { message: 'Hi' }, [m1, m2], /several chats.*m1, m2/],
    [
      'several chats were answered',
      { message: 'Hi' },
      [
        { ...m1, answered: true },
        { ...m2, answered: true },
      ],
      /several chats/,
    ],
    ['it names a message that is not there', { message: 'Hi', in_reply_to: 'm9' }, [m1], /no message m9.*m1/],
    ['it has no words', { message: '' }, [m1], /SendUserMessage/],
    ['its status is none', { message: 'Hi', status: 'loud' }, [m1], /status/],
    ['its input is no object', 7, [m1], /SendUserMessage/],
  ])('is an error when %s', (_title, given, owed, output) => {
    expect(plan('SendUserMessage', given, { owed })).toMatchObject({
      do: 'end',
      result: { outcome: 'error' },
    });
    expect(plan('SendUserMessage', given, { owed })).toMatchObject({
      result: { output: expect.stringMatching(output) },
    });
  });
});

describe('AskUserQuestion', () => {
  it('asks with its options', () => {
    expect(plan('AskUserQuestion', { question: 'Which\none?', options: [{ label: 'A' }] })).toEqual({
      do: 'ask',
      prompt: {
        kind: 'question',
        headline: 'Which one?',
        description: '',
        preview: 'Which\none?',
        options: [{ label: 'A' }],
        multiple: false,
        rule: null,
        ruleSubject: null,
        dir: '/w',
        lifeMs: 5000,
      },
    });
  });

  it.each([
    ['the answer', prompt('decided', { behavior: 'answer', text: 'Red' }), { outcome: 'ok', output: 'Red' }],
    [
      'a refusal with its reason',
      prompt('decided', { behavior: 'deny', reason: 'busy' }),
      { outcome: 'denied', output: 'The person does not want to answer: busy' },
    ],
    [
      'a refusal',
      prompt('decided', { behavior: 'deny' }),
      { outcome: 'denied', output: 'The person does not want to answer.' },
    ],
    [
      'silence',
      prompt('expired', null),
      { outcome: 'error', output: 'Nobody answered in time. Go on with what you know, and say so.' },
    ],
  ])('ends with %s', (_title, given, result) => {
    expect(plan('AskUserQuestion', { question: 'Q?' }, { prompt: given })).toEqual({ do: 'end', result });
  });

  it('asks on while its prompt is open', () => {
    expect(plan('AskUserQuestion', { question: 'Q?' }, { prompt: prompt('open', null) }).do).toBe('ask');
  });

  it('is an error without a question', () => {
    expect(plan('AskUserQuestion', {})).toMatchObject({ do: 'end', result: { outcome: 'error' } });
  });
});

describe('Sleep', () => {
  it.each([
    [1, 2000],
    [0.0004, 1001],
    [30 * 86_400, 1000 + 30 * 86_400_000],
  ])('of %d seconds', (seconds, until) => {
    expect(plan('Sleep', { seconds })).toEqual({ do: 'sleep', until });
  });
  it.each([0, -1, 30 * 86_400 + 1, '5', Number.NaN, undefined])('of %s seconds is an error', (seconds) => {
    expect(plan('Sleep', { seconds })).toMatchObject({ do: 'end', result: { outcome: 'error' } });
  });
});

it.each([
  ['SendUserMessage', 'local', true],
  ['AskUserQuestion', 'local', true],
  ['Sleep', 'local', true],
  ['Bash', 'local', false],
  ['sleep', 'local', false],
  // What the worker refused.
  ['SendUserMessage', 'pure', false],
] as const)('%s (%s) is done by the daemon: %s', (tool, kind, is) => {
  expect(isHostTool({ tool, class: kind })).toBe(is);
});

describe('NoReply', () => {
  const m3 = { ...m2, wake: 'wak_3', ref: 'm3' };

  it.each([
    ['all messages of channels', {}, [m1, m2, m3], ['wak_2', 'wak_3'], 'm2, m3'],
    ['the one it names', { in_reply_to: 'm3' }, [m2, m3], ['wak_3'], 'm3'],
    ['only what still waits', {}, [{ ...m2, answered: true }, m3], ['wak_3'], 'm3'],
  ])('leaves %s unanswered', (_title, given, owed, wakes, refs) => {
    const result = { outcome: 'ok', output: `Handled without an answer: ${refs}.` };
    expect(plan('NoReply', given, { owed })).toEqual({ do: 'silence', wakes, result });
  });

  it('is an error for the person at the window', () => {
    expect(plan('NoReply', {}, { owed: [m1] })).toMatchObject({ do: 'end', result: { outcome: 'error' } });
  });
});
