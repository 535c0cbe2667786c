import * as z from 'zod/mini';
import { oneLine, visibleText } from '../../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import { modeAfterPlan, type PermissionMode } from '../../../../shared/domain/sessions.ts';
import type { CallPlan } from '../../events/port.ts';
import type { PromptRow } from '../../events/rows.ts';
import { badInput, failed, type HostInput } from './host-input.ts';

/** Characters: a plan is read by a person before it is approved. */
const longestPlan = 100_000;
const planSchema = z.object({
  plan: z.string().check(z.trim(), z.minLength(1), z.maxLength(longestPlan)),
});

/** Shows the person the plan, or ends the call with what they said; the verdict itself sets the session's mode. */
export function planExit({ facts, prompt, mode, promptLifeMs }: HostInput): CallPlan {
  if (prompt && prompt.state !== 'open') return { do: 'end', result: planResult(prompt, mode) };
  if (mode !== 'plan')
    return failed(`ExitPlanMode: the session is not in plan mode (it is in ${mode}). Go on.`);
  const parsed = planSchema.safeParse(facts.input);
  if (!parsed.success) return badInput('ExitPlanMode', parsed.error);
  const { plan } = parsed.data;
  const firstLine = plan.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? plan;
  return {
    do: 'ask',
    prompt: {
      kind: 'plan',
      headline: oneLine(`Plan: ${firstLine.replace(/^[#\s*-]+/, '')}`, 200),
      description: '',
      preview: visibleText(plan),
      options: [],
      multiple: false,
      rule: null,
      ruleSubject: null,
      dir: facts.cwd,
      lifeMs: promptLifeMs,
    },
  };
}

function planResult(prompt: PromptRow, mode: PermissionMode): CallResult {
  const { verdict } = prompt;
  if (prompt.state === 'decided' && verdict?.behavior === 'allow') {
    const begun = modeAfterPlan(verdict.scope);
    const now = mode === begun ? '' : ` Since then the mode was set to ${mode}.`;
    return { outcome: 'ok', output: `The person approved the plan. ${approvedText[begun]}${now} Begin.` };
  }
  if (prompt.state === 'decided') {
    const said = verdict?.behavior === 'deny' ? (verdict.reason ?? '') : '';
    const reason = said === '' ? '.' : `: "${said}".`;
    return {
      outcome: 'denied',
      output: `The person does not approve this plan${reason} Still in plan mode: change the plan and present it again, or ask.`,
    };
  }
  return {
    outcome: 'denied',
    output: 'Nobody decided on the plan in time. Still in plan mode: tell the person where it stands.',
  };
}

const approvedText: Readonly<Record<'default' | 'acceptEdits', string>> = {
  default: 'Plan mode is over; what is risky asks as usual.',
  acceptEdits: 'Plan mode is over; files of the session directory may be changed without asking.',
};
