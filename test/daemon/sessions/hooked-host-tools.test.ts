import { describe, expect, it } from 'vitest';
import type { HostInput } from '../../../electron/daemon/sessions/host-tools/host-input.ts';
import { planHostTool } from '../../../electron/daemon/sessions/host-tools/plan-host-tool.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { commandFacts } from '../support/daemon-rig.ts';

const self = { home: '/home/k', scratch: '/home/k/scratch', words: [] };
const places: HostInput['places'] = { dir: '/w', ownScratch: '/home/k/scratch/ses_1', rules: [], self };
const owed = [{ wake: 'wak_1', ref: 'm1', route: { surface: 'viewers' }, answered: false }];
const usual = { prompt: null, owed, now: 1000, promptLifeMs: 5000, mode: 'default', places } as const;
const by = 'guard, user settings';

function planned(tool: string, input: unknown, hook: CallFacts['hook']) {
  const facts: CallFacts = { ...commandFacts(''), tool, input, class: 'local', access: 'person' };
  const { plan, decision } = planHostTool({
    facts: hook === undefined ? facts : { ...facts, hook },
    ...usual,
  });
  return [plan.do, 'result' in plan ? plan.result.output : null, decision.behavior];
}

describe('what a hook says about a call that the daemon does itself', () => {
  it.each<[string, string, unknown, CallFacts['hook'], unknown]>([
    [
      'a deny holds',
      'SendUserMessage',
      { message: 'Hi' },
      { behavior: 'deny', reason: 'too loud', by },
      ['end', `Not allowed: hook (${by}). too loud`, 'deny'],
    ],
    [
      'an "ask" about a message denies it',
      'SendUserMessage',
      { message: 'Hi' },
      { behavior: 'ask', reason: '', by },
      [
        'end',
        `Not allowed: hook (${by}). It wants a person to decide, and nobody can be asked about SendUserMessage.`,
        'deny',
      ],
    ],
    [
      'a question asks anyway',
      'AskUserQuestion',
      { question: 'Which?' },
      { behavior: 'ask', reason: '', by },
      ['ask', null, 'allow'],
    ],
    [
      'a question is answered, and the model reads by whom',
      'AskUserQuestion',
      { question: 'Which?' },
      { behavior: 'allow', reason: '', by, answer: 'left', answeredBy: by },
      ['end', `left\n[Answered by the hook (${by}), not by the person.]`, 'allow'],
    ],
    [
      'the model cannot answer its own question',
      'AskUserQuestion',
      { question: 'Which?', answer: 'left', answers: { 'Which?': 'left' } },
      undefined,
      ['ask', null, 'allow'],
    ],
    [
      'a change is told with the result',
      'SendUserMessage',
      { message: 'Hi' },
      { behavior: 'allow', reason: '', by: '', note: '[changed]' },
      ['send', 'Delivered.\n[changed]', 'allow'],
    ],
  ])('%s', (_what, tool, input, hook, plan) => {
    expect(planned(tool, input, hook)).toEqual(plan);
  });
});

describe('what rules say about a call that the daemon does itself', () => {
  it.each([
    [
      'deny',
      'SendUserMessage',
      'SendUserMessage',
      ['end', 'Not allowed: rule (settings) SendUserMessage.', 'deny'],
    ],
    [
      'ask',
      'SendUserMessage',
      'SendUserMessage',
      [
        'end',
        'Not allowed: rule (settings) SendUserMessage. Nobody can be asked about SendUserMessage.',
        'deny',
      ],
    ],
    ['ask', 'AskUserQuestion', 'AskUserQuestion', ['ask', null, 'allow']],
    [
      'deny',
      'AskUserQuestion',
      'AskUserQuestion',
      ['end', 'Not allowed: rule (settings) AskUserQuestion.', 'deny'],
    ],
    ['deny', '*', 'AskUserQuestion', ['ask', null, 'allow']],
    ['deny', 'Sleep', 'AskUserQuestion', ['ask', null, 'allow']],
  ] as const)('%s %s on %s', (effect, ruled, tool, expected) => {
    const rule = { effect, tool: ruled, subject: null, id: null, source: 'settings' } as const;
    const input = { message: 'Hi', question: 'Which?' };
    const facts: CallFacts = { ...commandFacts(''), tool, input, class: 'local', access: 'person' };
    const { plan, decision } = planHostTool({ ...usual, facts, places: { ...places, rules: [rule] } });
    expect([plan.do, 'result' in plan ? plan.result.output : null, decision.behavior]).toEqual(expected);
  });
});
