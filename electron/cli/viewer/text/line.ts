import { terminalText } from '../../output/foreign-text.ts';
import { columnsOf, fitColumns } from './columns.ts';

/** What a stretch of text is; words say it too, so that nothing is lost without colours. */
export type Style =
  | 'plain'
  | 'strong'
  | 'emphasis'
  | 'code'
  | 'link'
  | 'muted'
  | 'accent'
  | 'asking'
  | 'good'
  | 'bad';

/** A stretch of one line. Its text holds no line end and nothing that steers a terminal. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One row of a terminal. */
export type Line = readonly Span[];

/** A tab stops at no fixed column here: it is shown as this many spaces. */
const tab = '    ';

/** Our own words in one style. */
export function span(text: string, style: Style = 'plain'): Span {
  return { text, style };
}

/** Foreign text as spans, one for each of its lines: control and direction-changing characters are made visible. */
export function foreignSpans(text: string, style: Style = 'plain'): Span[] {
  return terminalText(text)
    .split('\n')
    .map((line) => span(line.replaceAll('\t', tab), style));
}

/** Foreign text in one line: its line ends become spaces. */
export function foreignSpan(text: string, style: Style = 'plain'): Span {
  return span(terminalText(text).replaceAll(/[\n\t]+/g, ' '), style);
}

/** Columns of a line. */
export function lineColumns(line: Line): number {
  return line.reduce((sum, { text }) => sum + columnsOf(text), 0);
}

/** A line without its styles. */
export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** The line, cut with an ellipsis where it is wider. */
export function fitLine(line: Line, columns: number): Line {
  if (lineColumns(line) <= columns) return line;
  const fitted: Span[] = [];
  let left = columns;
  for (const part of line) {
    const width = columnsOf(part.text);
    if (width < left) {
      fitted.push(part);
      left -= width;
      continue;
    }
    // What follows does not fit any more: the ellipsis stands in this part, which may itself just fit.
    fitted.push(span(fitColumns(`${part.text} `, left).replace(/ $/, '…'), part.style));
    break;
  }
  return fitted;
}

/** Left and right parts of a line with what is free between them; the right one gives way. */
export function spread(left: Line, right: Line, columns: number): Line {
  const free = columns - lineColumns(left) - lineColumns(right);
  if (right.length === 0 || free < 2) return fitLine(left, columns);
  return [...left, span(' '.repeat(free)), ...right];
}
