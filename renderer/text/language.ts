import { chinese } from './zh.ts';
import { english } from './en.ts';
import type { WindowText } from './window-text.ts';

/** The texts for a browser's language tag: Chinese for any `zh`, else English. */
export function textFor(language: string): WindowText {
  return /^zh\b/i.test(language) ? chinese : english;
}
