import { oneLine } from '../../../shared/base/visible-text.ts';
import { mayBeSlip, optionLetter } from '../../../shared/domain/answer-text.ts';
import {
  nothingKept,
  type PromptKind,
  type Verdict,
  type VerdictScope,
} from '../../../shared/domain/prompts.ts';
import type { OfferRow, PromptRow } from '../events/rows.ts';
import type { SurfaceTraits } from './surface.ts';

/** A verdict and where it came from; `surface` and `offer` are null where the prompt was never shown. */
export interface VerdictInput {
  readonly prompt: PromptRow;
  readonly verdict: Verdict;
  /** The asker may use the scopes `session` and `always`. */
  readonly owner: boolean;
  readonly surface: SurfaceTraits | null;
  readonly offer: OfferRow | null;
}

/** Why an approval can be allowed once only. */
function onceOnly(prompt: PromptRow): string {
  switch (nothingKept(prompt)) {
    case 'secret':
      return 'It can be allowed once only: it contains what looks like a secret, and a rule would keep that.';
    case 'no rule':
      return 'It can be allowed once only: no rule is kept for a call like this.';
    case 'asks every time':
      return `It can be allowed once only: it is asked every time (${prompt.reason ?? 'Kairos guards it'}).`;
  }
}

/** Why this verdict may not count, or null. Whether the prompt is still open is decided by the claim itself. */
export function verdictRefusal(input: VerdictInput): string | null {
  const { prompt, verdict, owner, surface, offer } = input;
  if (!surface || !offer) return 'This place was not asked.';
  const kindRefusal = kindMismatch(prompt.kind, verdict);
  if (kindRefusal) return kindRefusal;
  if (prompt.kind === 'trust' && !owner) return 'Only the owner decides what is trusted.';
  if (verdict.behavior === 'answer') return answerRefusal(prompt, verdict);
  if (verdict.behavior !== 'allow') return null;
  if ((offer.shown ?? 0) < prompt.preview.length) {
    return 'It is too long to be shown whole here. Deny it, or open it on another surface.';
  }
  if (verdict.scope !== 'once' && !owner) return 'Only the owner may allow more than this once.';
  if (!surface.scopes.includes(verdict.scope)) return `This place cannot allow with scope ${verdict.scope}.`;
  if (prompt.kind !== 'approval') return scopeRefusal(prompt.kind, verdict.scope);
  if (verdict.scope !== 'once' && prompt.rule === null) return onceOnly(prompt);
  return null;
}

/** Outside approvals nothing is kept as a rule; approving a plan for the session lets it change files of its directory. */
function scopeRefusal(kind: PromptKind, scope: VerdictScope): string | null {
  if (scope === 'once' || (kind === 'plan' && scope === 'session')) return null;
  return kind === 'plan'
    ? 'A plan is approved once, or for the session (files of its directory then change unasked).'
    : 'This is allowed once or denied; there is no rule to keep.';
}

function kindMismatch(kind: PromptKind, verdict: Verdict): string | null {
  const isQuestion = kind === 'question' || kind === 'elicitation';
  if (isQuestion && verdict.behavior === 'allow') return 'This is a question: answer it with text.';
  if (!isQuestion && verdict.behavior === 'answer') return 'This asks for allow or deny.';
  return null;
}

/** A mistyped letter must not pass as an answer: beside the options count words, and what was meant so. */
function answerRefusal(prompt: PromptRow, verdict: Verdict & { behavior: 'answer' }): string | null {
  if (verdict.ownWords === true || !mayBeSlip(prompt, verdict.text)) return null;
  const list = prompt.options.map(({ label }, index) => `${optionLetter(index)}) ${oneLine(label, 80)}`);
  const options = oneLine(list.join(', '), 400);
  return `"${oneLine(verdict.text, 40)}" is none of the options: ${options}. Name one, or answer in more words.`;
}
