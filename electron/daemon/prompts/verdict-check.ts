import { oneLine, visibleText } from '../../../shared/base/visible-text.ts';
import type { PromptKind, Verdict } from '../../../shared/domain/prompts.ts';
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

/** Why this verdict may not count, or null. Whether the prompt is still open is decided by the claim itself. */
export function verdictRefusal(input: VerdictInput): string | null {
  const { prompt, verdict, owner, surface, offer } = input;
  if (!surface || !offer) return 'This place was not asked.';
  const kindRefusal = kindMismatch(prompt.kind, verdict);
  if (kindRefusal) return kindRefusal;
  if (verdict.behavior === 'answer') return answerRefusal(prompt, verdict);
  if (verdict.behavior !== 'allow') return null;
  if ((offer.shown ?? 0) < prompt.preview.length) {
    return 'It is too long to be shown whole here. Deny it, or open it on another surface.';
  }
  if (verdict.scope !== 'once' && !owner) return 'Only the owner may allow more than this once.';
  if (!surface.scopes.includes(verdict.scope)) return `This place cannot allow with scope ${verdict.scope}.`;
  if (verdict.scope !== 'once' && prompt.rule === null)
    return 'There is no rule to keep for this one: allow it once.';
  return null;
}

function kindMismatch(kind: PromptKind, verdict: Verdict): string | null {
  const isQuestion = kind === 'question' || kind === 'elicitation';
  if (isQuestion && verdict.behavior === 'allow') return 'This is a question: answer it with text.';
  if (!isQuestion && verdict.behavior === 'answer') return 'This asks for allow or deny.';
  return null;
}

/** A mistyped letter must not pass as an answer: beside the options counts only what was meant so. */
function answerRefusal(prompt: PromptRow, verdict: Verdict & { behavior: 'answer' }): string | null {
  if (verdict.ownWords === true || resolveAnswer(prompt, verdict.text) !== null) return null;
  const list = prompt.options.map(({ label }, index) => `${letterOf(index)}) ${oneLine(label, 80)}`);
  return `"${oneLine(verdict.text, 40)}" is none of the options: ${oneLine(list.join(', '), 400)}.`;
}

function letterOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

/**
 * What a reply to a question means: with options a letter, number or label (case does not matter) becomes the label, several of
 * them where several may be chosen, and anything else is null; without options the text is the answer.
 */
export function resolveAnswer(prompt: Pick<PromptRow, 'options' | 'multiple'>, text: string): string | null {
  const { options, multiple } = prompt;
  if (options.length === 0) return text;
  const whole = optionLabel(options, text.trim());
  if (whole !== null || !multiple) return whole;
  // Commas first: labels may contain spaces.
  return allLabels(options, text.split(',')) ?? allLabels(options, text.split(/[,\s]+/));
}

function allLabels(options: PromptRow['options'], parts: readonly string[]): string | null {
  const named = parts.filter((part) => part.trim() !== '').map((part) => optionLabel(options, part));
  const labels = named.filter((label) => label !== null);
  return labels.length > 0 && labels.length === named.length ? labels.join(', ') : null;
}

function optionLabel(options: PromptRow['options'], part: string): string | null {
  const wanted = visibleText(part).trim().toLowerCase();
  const byLabel = options.find((option) => option.label.toLowerCase() === wanted);
  if (byLabel) return byLabel.label;
  const index = /^[a-z]$/.test(wanted)
    ? wanted.charCodeAt(0) - 97
    : /^\d{1,2}$/.test(wanted)
      ? Number(wanted) - 1
      : -1;
  return options[index]?.label ?? null;
}
