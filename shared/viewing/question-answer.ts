import type { QuestionOption } from '../domain/prompts.ts';

/** The letter of an option: a, b, c ... */
export function optionLetter(index: number): string {
  return String.fromCharCode(97 + index);
}

/** The option that a letter names, or null. */
export function optionAt(options: readonly QuestionOption[], letter: string): number | null {
  const index = /^[a-z]$/i.test(letter) ? letter.toLowerCase().charCodeAt(0) - 97 : -1;
  return index >= 0 && index < options.length ? index : null;
}

/**
 * The text that answers with these options. One option is named by its label, which means itself. Several are separated by
 * commas: by label where no label contains a separator, else by letter, since the daemon splits at commas and spaces.
 */
export function answerText(options: readonly QuestionOption[], chosen: readonly number[]): string {
  const labels = chosen.flatMap((index) => options[index]?.label ?? []);
  if (chosen.length === 1) return labels[0] ?? '';
  const isPlain = labels.every((label) => !/[,\s]/.test(label));
  return (isPlain ? labels : chosen.map(optionLetter)).join(', ');
}
