import { fitWidth, textWidth } from './text-width.ts';
import { wrapLine } from './wrap.ts';

/** The text of a cell as lines of at most `width` columns: one that is cut, or as many as it takes when it `wraps`. */
export function cellLines(text: string, width: number, wraps: boolean): string[] {
  if (!wraps) return [fitWidth(text, width)];
  return wrapLine(text, width)
    .split('\n')
    .flatMap((line) => chopped(line, width));
}

/** A word that is wider than the cell goes on in the next line. */
function chopped(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const char of line) {
    if (current !== '' && textWidth(current + char) > width) {
      lines.push(current);
      current = '';
    }
    current += char;
  }
  return [...lines, current];
}
