import { assertNever } from '../../../shared/base/assert-never.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { AnsweredBy, VerdictScope } from '../../../shared/domain/prompts.ts';
import { modeAfterPlan } from '../../../shared/domain/sessions.ts';
import type { VerdictAnswer } from '../../../shared/protocol/bridge.ts';
import type { PromptRow } from '../events/rows.ts';

/** A person of this machine by name, others with the place they answered from. */
function nameOf(by: AnsweredBy): string {
  return by.surface === 'viewers' ? by.principal : `${by.principal} (${by.surface})`;
}

function acceptedText(prompt: PromptRow): string {
  const { kind, dir, verdict, headline, rule } = prompt;
  if (kind === 'trust')
    return verdict?.behavior === 'allow'
      ? `Trusted: what ${oneLine(dir, 120)} brings holds from now on, until it changes.`
      : `Not trusted: nothing that ${oneLine(dir, 120)} brings holds, until it changes.`;
  switch (verdict?.behavior) {
    case 'allow':
      if (kind === 'plan') return planText(prompt, verdict.scope);
      if (verdict.scope === 'always') return `Allowed always, by the rule ${rule ?? ''}.`;
      if (verdict.scope === 'session' && rule !== null)
        return `Allowed in this session, by the rule ${rule}.`;
      return `Allowed ${verdict.scope === 'session' ? 'in this session' : 'once'}: ${headline}`;
    case 'deny':
      return `Denied: ${headline}`;
    case 'answer':
      return `Answered: ${oneLine(verdict.text, 200)}`;
    case undefined:
      return 'Done.';
    default:
      return assertNever(verdict, 'verdict');
  }
}

/** Which mode holds from now on, and the way back. */
function planText({ session, headline }: PromptRow, scope: VerdictScope): string {
  const mode = modeAfterPlan(scope);
  const means =
    mode === 'acceptEdits'
      ? 'files of its directory change unasked, the rest asks as usual'
      : 'what is risky asks as usual';
  const plan = headline.replace(/^Plan: /, '').replace(/[.\s]+$/, '');
  return `Approved the plan "${plan}": the session now runs in mode ${mode} (${means}). Back to planning: kairos mode ${session} plan`;
}

/** What whoever gave a verdict is answered, by what became of it. */
export function verdictAnswer(outcome: VerdictAnswer['outcome'], prompt: PromptRow | null): VerdictAnswer {
  const who = prompt?.by ? nameOf(prompt.by) : null;
  switch (outcome) {
    case 'accepted':
      return { outcome, by: who, message: prompt ? acceptedText(prompt) : 'Done.' };
    case 'already_answered': {
      const what =
        prompt?.verdict?.behavior === 'allow'
          ? 'allowed'
          : prompt?.verdict?.behavior === 'deny'
            ? 'denied'
            : 'answered';
      return {
        outcome,
        by: who,
        message: who ? `${who === 'owner' ? 'You' : who} ${what} it already.` : 'It is no longer asked.',
      };
    }
    case 'expired':
      return {
        outcome,
        by: who,
        message:
          prompt?.state === 'withdrawn' ? 'It is no longer asked.' : 'It expired and counts as denied.',
      };
    case 'unknown':
      return { outcome, by: null, message: 'Nothing asks under that code.' };
    case 'not_allowed':
      return { outcome, by: who, message: 'Not allowed.' };
    default:
      return assertNever(outcome, 'verdict outcome');
  }
}
