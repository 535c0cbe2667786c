import { isObject } from '../base/json.ts';
import { visibleText } from '../base/visible-text.ts';

/** Members of a tool's input that say best what it is about, first match wins. */
const telling = ['command', 'path', 'file_path', 'question', 'message', 'reason'];

/** A subject that a folded line shows whole, as a rule: no reason to repeat it below. */
export function fitsLine(subject: string): boolean {
  return subject.length <= 60 && !subject.includes('\n');
}

/** What a call was about: its command or path where it has one, else its whole input; invisible characters made visible. */
export function callSubject(input: unknown): string {
  if (typeof input === 'string') return visibleText(input);
  if (!isObject(input)) return visibleText(JSON.stringify(input) ?? '');
  const name = telling.find((key) => typeof input[key] === 'string' && input[key] !== '');
  return visibleText(name === undefined ? JSON.stringify(input) : String(input[name]));
}
