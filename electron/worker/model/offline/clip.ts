import type { Language } from './commands.ts';

const headLines = 25;
const tailLines = 15;
const longestLine = 400;

/** At most `lines` lines (head and tail) of at most 400 characters; what is left out is counted. */
export function clipBlock(text: string, language: Language, lines = headLines + tailLines): string {
  const all = text.replace(/\n+$/, '').split('\n').map(clipLine);
  if (all.length <= lines) return all.join('\n');
  const head = Math.ceil((lines * headLines) / (headLines + tailLines));
  const left = all.length - lines;
  const note = language === 'zh' ? `…（省略 ${left} 行）…` : `… (${left} lines left out) …`;
  return [...all.slice(0, head), note, ...all.slice(all.length - (lines - head))].join('\n');
}

function clipLine(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`;
}

function longestRun(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);
}

/** Markdown code block that its content cannot end. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** Markdown inline code of one line that its content cannot end. */
export function code(text: string): string {
  const line = clipLine(text.replace(/\s+/g, ' ').trim());
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = fence.length > 1 ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
