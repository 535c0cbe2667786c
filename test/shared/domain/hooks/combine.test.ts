import { describe, expect, test } from 'vitest';
import type { HookAnswer } from '../../../../shared/domain/hooks/answer.ts';
import { combineHooks, type HookSaid } from '../../../../shared/domain/hooks/combine.ts';
import type { HookOccasion } from '../../../../shared/domain/hooks/occasions.ts';
import type { HookRule } from '../../../../shared/domain/hooks/rules.ts';

const call: HookOccasion = { event: 'PreToolUse', tool: 'Bash', input: { command: 'ls' }, call: 'c1' };
const rule = (command: string, more: Partial<HookRule> = {}): HookRule => ({
  event: 'PreToolUse',
  matcher: null,
  command,
  timeoutMs: 60_000,
  source: 'settings',
  dir: null,
  mayAllow: true,
  ...more,
});
const said = (command: string, answer: HookAnswer, more: Partial<HookRule> = {}): HookSaid => ({
  rule: rule(command, more),
  answer,
});
const permission = (behavior: 'allow' | 'ask' | 'deny' | 'defer') => ({
  permission: { behavior, reason: behavior },
});
const verdictOf = (...answers: HookSaid[]) => {
  const { verdict, input } = combineHooks(call, answers);
  return [verdict?.behavior ?? null, verdict?.by ?? null, input?.value ?? null];
};

describe('several hooks of one call', () => {
  test.each([
    [['allow', 'ask'], 'ask'],
    [['allow', 'ask', 'defer'], 'defer'],
    [['defer', 'deny', 'allow'], 'deny'],
    [['allow', 'allow'], 'allow'],
  ] as const)('%j together are %s', (each, together) => {
    const answers = each.map((behavior, index) => said(`h${index}`, permission(behavior)));
    expect(verdictOf(...answers)[0]).toBe(together);
  });

  test('exit 2 denies whatever others allow; failures have no say', () => {
    expect([
      verdictOf(said('a', permission('allow')), said('b', { block: 'no' })),
      verdictOf(said('a', { failure: 'x' }), said('b', permission('allow'))),
      verdictOf(said('a', { failure: 'x' })),
    ]).toEqual([
      ['deny', 'b, user settings', null],
      ['allow', 'b, user settings', null],
      [null, null, null],
    ]);
  });

  test('an "allow" that may not count does not, and people are told', () => {
    const { verdict, reports } = combineHooks(call, [
      said('p', permission('allow'), { source: 'project', mayAllow: false }),
    ]);
    expect([verdict, reports]).toEqual([
      null,
      [
        {
          by: 'p, project settings',
          outcome: 'failed',
          text: 'said "allow", which does not count (hooks.projectAllow in your settings)',
        },
      ],
    ]);
    expect(verdictOf(said('p', permission('deny'), { mayAllow: false }))[0]).toBe('deny');
  });
});

describe('a rewritten input', () => {
  const changed = { input: { command: 'ls -l' } };

  test('holds when one hook wants it, or all that want one agree; otherwise the call is denied', () => {
    expect([
      verdictOf(said('a', changed), said('b', {})),
      verdictOf(said('a', changed), said('b', { input: { command: 'ls -l' } })),
      verdictOf(said('a', changed), said('b', { input: { command: 'rm x' } })),
    ]).toEqual([
      [null, null, { command: 'ls -l' }],
      [null, null, { command: 'ls -l' }],
      ['deny', 'a, user settings and b, user settings', null],
    ]);
  });

  test('is allowed by the hook that made it, never by one that saw another input', () => {
    expect([
      verdictOf(said('a', changed), said('b', permission('allow'))),
      verdictOf(said('a', { ...changed, ...permission('allow') }), said('b', {})),
    ]).toEqual([
      [null, null, { command: 'ls -l' }],
      ['allow', 'a, user settings', { command: 'ls -l' }],
    ]);
  });
});

test('a question is answered by a hook that may, in either form; two answers that differ are none', () => {
  const asked: HookOccasion = {
    event: 'PreToolUse',
    tool: 'AskUserQuestion',
    input: { question: 'Which?' },
    call: 'c',
  };
  const answered = (...answers: HookSaid[]) => {
    const { answer, input } = combineHooks(asked, answers);
    return [answer?.text ?? null, input];
  };
  expect([
    answered(said('a', { input: { answer: 'left' } })),
    answered(said('a', { input: { question: 'Which?', answers: { 'Which?': 'left' } } })),
    answered(said('a', { input: { answer: 'left' } }), said('b', { input: { answer: 'right' } })),
    answered(said('a', { input: { answer: 'left' } }, { mayAllow: false })),
    answered(said('a', { input: { answer: 7 } })),
  ]).toEqual([
    ['left', null],
    ['left', null],
    [null, null],
    [null, null],
    [null, null],
  ]);
});

test('what held something back, changed, failed or speaks to people is reported once', () => {
  const reports = (occasion: HookOccasion, ...answers: HookSaid[]) =>
    combineHooks(occasion, answers).reports.map(({ outcome, text }) => [outcome, text]);
  expect([
    reports(call, said('a', { block: 'no\nno' }), said('b', { message: 'hello' })),
    reports(call, said('a', { input: { command: 'x' } })),
    reports({ event: 'UserPromptSubmit', prompt: 'p', ref: 'm1' }, said('a', { block: 'secret' })),
    reports({ event: 'Stop', active: false, lastMessage: '' }, said('a', { block: 'tests fail' })),
    reports({ event: 'PreCompact', trigger: 'auto' }, said('a', { block: 'not now' })),
    reports(call, said('a', { stop: 'enough', ...permission('deny') })),
    reports(call, said('a', permission('allow'))),
  ]).toEqual([
    [
      ['said', 'hello'],
      ['blocked', 'denied a call: no no'],
    ],
    [['changed', 'changed the input of a call']],
    [['blocked', 'blocked a message: secret']],
    [['blocked', 'asked the session to go on: tests fail']],
    [['failed', 'complained: not now']],
    [['blocked', 'ended the turn: enough']],
    [],
  ]);
});
