/** Code points that fill two columns in a terminal (East Asian Wide and Fullwidth, without single rare signs). */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const noColumn = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
const picture = /^\p{Emoji_Presentation}$/u;

function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return 1;
  if (noColumn.test(char)) return 0;
  if (picture.test(char)) return 2;
  return wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Columns that a line takes in a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** The longest beginning that fits into `columns`; a cut is marked by an ellipsis inside them. */
export function fitWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const char of text) {
    width += charWidth(char);
    if (width > columns - 1) break;
    kept += char;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** The text with spaces behind it, `columns` wide. */
export function padWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)));
}
