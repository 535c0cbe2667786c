import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const known = new Map<string, number>();
const mostKnown = 10_000;

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** What a reader takes for one character each. */
export function graphemes(text: string): string[] {
  return isAscii(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns of one grapheme, as ink counts them too: 0, 1 or 2. */
export function graphemeColumns(grapheme: string): number {
  if (grapheme.length === 1 && isAscii(grapheme)) return 1;
  let columns = known.get(grapheme);
  if (columns === undefined) {
    columns = stringWidth(grapheme);
    if (known.size > mostKnown) known.clear();
    known.set(grapheme, columns);
  }
  return columns;
}

/** Columns of a text without line ends. */
export function columnsOf(text: string): number {
  if (isAscii(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeColumns(grapheme), 0);
}

/** The beginning of a text that fits; a cut is marked by an ellipsis inside the columns. */
export function fitColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += graphemeColumns(grapheme);
    if (used > columns - 1) break;
    kept += grapheme;
  }
  return `${kept}…`;
}
