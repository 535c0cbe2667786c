import { describe, expect, test } from 'vitest';
import type { HostInput } from '../../../electron/daemon/sessions/host-tools/host-input.ts';
import { planHostTool } from '../../../electron/daemon/sessions/host-tools/plan-host-tool.ts';
import { commandFacts } from '../support/daemon-rig.ts';

function present(input: unknown, own: Partial<HostInput> = {}): ReturnType<typeof planHostTool>['plan'] {
  const facts = { ...commandFacts(''), tool: 'ExitPlanMode', input };
  const self = { home: '/home/k', scratch: '/home/k/scratch', words: [] };
  const places = { dir: '/w', rules: [], self };
  const usual = { prompt: null, owed: [], now: 0, promptLifeMs: 5, mode: 'plan', places } as const;
  return planHostTool({ facts, ...usual, ...own }).plan;
}

const answered = (state: string, verdict: unknown): HostInput['prompt'] =>
  ({ state, verdict }) as HostInput['prompt'];

describe('ExitPlanMode', () => {
  test('asks the person about the whole plan, which no rule can ever allow', () => {
    const plan = '\n## Speed up\u202e the shop\n\n1. Measure\n2. Mend';
    expect(present({ plan })).toEqual({
      do: 'ask',
      prompt: {
        kind: 'plan',
        headline: 'Plan: Speed up<U+202E> the shop',
        description: '',
        preview: '## Speed up<U+202E> the shop\n\n1. Measure\n2. Mend',
        options: [],
        multiple: false,
        rule: null,
        ruleSubject: null,
        dir: '/w',
        lifeMs: 5,
      },
    });
  });

  test('is refused outside plan mode and without a plan', () => {
    const outputs = [present({ plan: 'x' }, { mode: 'default' }), present({ plan: ' ' }), present({})].map(
      (plan) => (plan.do === 'end' ? plan.result.outcome : plan.do),
    );
    expect(outputs).toEqual(['error', 'error', 'error']);
  });

  test.each([
    [
      'approved once',
      answered('decided', { behavior: 'allow', scope: 'once' }),
      'default',
      'ok',
      'The person approved the plan. Plan mode is over; what is risky asks as usual. Begin.',
    ],
    [
      'approved for the session',
      answered('decided', { behavior: 'allow', scope: 'session' }),
      'acceptEdits',
      'ok',
      'The person approved the plan. Plan mode is over; files of the session directory may be changed without asking. Begin.',
    ],
    [
      'approved, then set to another mode',
      answered('decided', { behavior: 'allow', scope: 'once' }),
      'dontAsk',
      'ok',
      'The person approved the plan. Plan mode is over; what is risky asks as usual. Since then the mode was set to dontAsk. Begin.',
    ],
    [
      'denied with a reason',
      answered('decided', { behavior: 'deny', reason: 'measure first' }),
      'plan',
      'denied',
      'The person does not approve this plan: "measure first". Still in plan mode: change the plan and present it again, or ask.',
    ],
    [
      'not answered',
      answered('expired', null),
      'plan',
      'denied',
      'Nobody decided on the plan in time. Still in plan mode: tell the person where it stands.',
    ],
  ] as const)('ends when it is %s', (_title, prompt, mode, outcome, output) => {
    expect(present({ plan: 'x' }, { prompt, mode })).toEqual({ do: 'end', result: { outcome, output } });
  });
});
