import type { Line, Style } from './line.ts';

/** SGR codes that begin and end a style. The 16 colours of the terminal's own palette, no backgrounds (ux.md, 5). */
const codes: Readonly<Record<Style, readonly [number, number] | null>> = {
  plain: null,
  strong: [1, 22],
  emphasis: [3, 23],
  code: [36, 39],
  link: [4, 24],
  muted: [2, 22],
  accent: [36, 39],
  asking: [33, 39],
  good: [32, 39],
  bad: [31, 39],
};

/** A line for the terminal; without colours its text alone. */
export function paintLine(line: Line, hasColours: boolean): string {
  return line
    .map(({ text, style }) => {
      const code = codes[style];
      return code === null || !hasColours || text === ''
        ? text
        : `\u001b[${code[0]}m${text}\u001b[${code[1]}m`;
    })
    .join('');
}
