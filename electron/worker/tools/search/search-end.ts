import type { CallResult } from '../../../../shared/domain/messages.ts';
import { type RipgrepEnd, searchTimeoutMs } from './ripgrep.ts';

/** What a search found and what has to be said about it beside. */
export interface Findings {
  readonly lines: readonly string[];
  /** Said when there is none. */
  readonly none: string;
  /** Why not everything is shown; null: it is. */
  readonly more: string | null;
  readonly notes: readonly string[];
}

/** The result of a search, also of one that did not come to its end. */
export function searchResult(
  tool: string,
  end: RipgrepEnd,
  { lines, none, more, notes: besides }: Findings,
): CallResult {
  if (end.why === 'interrupted') return { outcome: 'interrupted', output: 'Stopped by an interrupt.' };
  const failed = end.why === 'done' && end.code !== 0 && end.code !== 1;
  if (failed && lines.length === 0) return { outcome: 'error', output: `${tool}: ${complaintText(end)}.` };
  const notes = [
    ...(lines.length === 0 ? [none] : []),
    ...(more === null ? [] : [more]),
    ...besides,
    ...(failed ? ['some files could not be read'] : []),
    ...(lines.some((line) => line.includes('\uFFFD')) ? ['\uFFFD stands for bytes that are no UTF-8'] : []),
  ];
  const late = end.why === 'timeout';
  if (late)
    notes.push(`stopped after ${searchTimeoutMs / 1000} s: name a smaller directory or a narrower pattern`);
  const output = [...lines, ...notes.map((note) => `[${note}]`)].join('\n');
  return { outcome: late ? 'error' : 'ok', output };
}

/** One sentence of what ripgrep said. */
function complaintText({ code, complaint }: RipgrepEnd): string {
  const reason = /^error: (.+)$/m.exec(complaint)?.[1];
  if (/regex parse error|PCRE2/.test(complaint))
    return `the pattern is not a valid regular expression: ${reason ?? 'see its syntax'}`;
  if (complaint.includes('exceeds size limit'))
    return 'the pattern is too large: use fewer or smaller counted repetitions such as {1,1000}';
  const first = complaint.split('\n')[0]?.replace(/^rg: /, '').slice(0, 300) ?? '';
  return first === '' ? `the search ended with code ${code}` : first;
}
