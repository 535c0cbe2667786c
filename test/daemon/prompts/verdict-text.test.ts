import { expect, it } from 'vitest';
import { verdictAnswer } from '../../../electron/daemon/prompts/verdict-text.ts';
import type { PromptRow } from '../../../electron/daemon/events/rows.ts';

const plan: PromptRow = {
  id: 'pmt_1',
  code: 'abcde',
  kind: 'plan',
  state: 'decided',
  session: 'ses_1',
  sessionName: null,
  call: 'cal_1',
  tool: 'ExitPlanMode',
  headline: 'Plan: Move the build to esbuild.',
  description: '',
  preview: '',
  options: [],
  multiple: false,
  rule: null,
  dir: '/w',
  createdAt: 0,
  expiresAt: 1,
  verdict: null,
  by: { surface: 'viewers', principal: 'owner', at: 0 },
  digest: 'digest',
  ruleSubject: null,
  risks: null,
  reason: null,
  origin: { principal: 'owner', trust: 'owner', surface: 'viewers' },
};

it.each([
  ['once', 'default (what is risky asks as usual)'],
  ['session', 'acceptEdits (files of its directory change unasked, the rest asks as usual)'],
] as const)(
  'a plan that is approved with scope %s says which mode holds now and the way back',
  (scope, mode) => {
    const answer = verdictAnswer('accepted', { ...plan, verdict: { behavior: 'allow', scope } });
    expect(answer.message).toBe(
      `Approved the plan "Move the build to esbuild": the session now runs in mode ${mode}. Back to planning: kairos mode ses_1 plan`,
    );
  },
);
