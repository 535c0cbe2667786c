import { visibleText } from '../base/visible-text.ts';
import type { PromptView, QuestionOption } from './prompts.ts';

/** What of a question decides what a text means. */
export type Asked = Pick<PromptView, 'options' | 'multiple'>;

/** The capital letter of an option: A, B, C ... */
export function optionLetter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

/**
 * The option that a text names by letter, number or label (case and width do not matter), or several of them where several may be
 * chosen, as labels; null when it names none, or there are none.
 */
export function optionsNamed({ options, multiple }: Asked, text: string): string | null {
  const whole = optionLabel(options, text.trim());
  if (whole !== null || !multiple) return whole;
  // Commas first: labels may contain spaces.
  return allLabels(options, text.split(/[,，、]/)) ?? allLabels(options, text.split(/[,，、\s]+/));
}

/** What a text answers: the options it names, else the words as they are. */
export function answerMeant(asked: Asked, text: string): string {
  return optionsNamed(asked, text) ?? text;
}

/**
 * True for a text beside the options that may be a slip in naming one: nothing but words of one or two Latin letters or digits
 * ("D" of A to C, "4", "a d"), or no word at all. Words of other scripts are words.
 */
export function mayBeSlip(asked: Asked, text: string): boolean {
  if (asked.options.length === 0 || optionsNamed(asked, text) !== null) return false;
  const words = text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => /^[a-z0-9]{1,2}$/i.test(word));
}

function allLabels(options: readonly QuestionOption[], parts: readonly string[]): string | null {
  const named = parts.filter((part) => part.trim() !== '').map((part) => optionLabel(options, part));
  const labels = named.filter((label) => label !== null);
  return labels.length > 0 && labels.length === named.length ? labels.join(', ') : null;
}

function optionLabel(options: readonly QuestionOption[], part: string): string | null {
  const wanted = folded(visibleText(part));
  const byLabel = options.find((option) => folded(option.label) === wanted);
  if (byLabel) return byLabel.label;
  const index = /^[a-z]$/.test(wanted)
    ? wanted.charCodeAt(0) - 97
    : /^\d{1,2}$/.test(wanted)
      ? Number(wanted) - 1
      : -1;
  return options[index]?.label ?? null;
}

/** Chinese keyboards write letters and digits in full width. */
function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
