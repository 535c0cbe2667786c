import { textWidth } from './text-width.ts';

/**
 * The line as lines of at most `columns`, broken at spaces; those that follow begin with `indent` spaces. A word that is wider
 * than a line stays whole: it may be a path or a command that somebody copies.
 */
export function wrapLine(line: string, columns: number | undefined, indent = 0): string {
  if (columns === undefined || textWidth(line) <= columns) return line;
  const lead = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = lead;
  let empty = true;
  for (const word of line.slice(lead.length).split(' ')) {
    const longer = empty ? current + word : `${current} ${word}`;
    if (empty || textWidth(longer) <= columns) current = longer;
    else {
      lines.push(current);
      current = ' '.repeat(indent) + word;
    }
    empty = false;
  }
  return [...lines, current].map((text) => text.trimEnd()).join('\n');
}
