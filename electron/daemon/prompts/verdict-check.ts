import { visibleText } from '../../../shared/base/visible-text.ts';
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

/** A reply to a question with options: letter, number or label (case does not matter) becomes the label; else the text itself. */
export function resolveAnswer(prompt: Pick<PromptRow, 'options' | 'multiple'>, text: string): string {
  const { options, multiple } = prompt;
  if (options.length === 0) return text;
  const parts = multiple ? text.split(/[,\s]+/).filter((part) => part !== '') : [text.trim()];
  const labels = parts.map((part) => optionLabel(options, part));
  return labels.every((label) => label !== null) && labels.length > 0 ? labels.join(', ') : text;
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
