import { columnsOf, graphemeColumns, graphemes } from './columns.ts';
import { type Line, type Span, span, type Style } from './line.ts';

/** What stands before the first line and before those that go on. */
export interface Margin {
  readonly first: Line;
  readonly rest: Line;
}

/** No margin at all. */
export const noMargin: Margin = { first: [], rest: [] };

/** The same spaces before every line. */
export function indent(columns: number): Margin {
  const spaces = [span(' '.repeat(columns))];
  return { first: spaces, rest: spaces };
}

interface Piece {
  readonly text: string;
  readonly columns: number;
  readonly style: Style;
  readonly isSpace: boolean;
}

const wordOrSpace = /( +)/;

/** A word, a run of spaces, or one wide character: what a line may end after. */
function piecesOf({ text, style }: Span): Piece[] {
  return text
    .split(wordOrSpace)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const columns = columnsOf(part);
      if (columns === part.length) return [{ text: part, columns, style, isSpace: part.startsWith(' ') }];
      return splitAtWide(part).map((piece) => ({ ...piece, style, isSpace: false }));
    });
}

/** Wide characters need no space between them to begin a line. */
function splitAtWide(part: string): { text: string; columns: number }[] {
  const pieces: { text: string; columns: number; wide: boolean }[] = [];
  for (const text of graphemes(part)) {
    const columns = graphemeColumns(text);
    const last = pieces.at(-1);
    if (last !== undefined && !last.wide && columns < 2) {
      last.text += text;
      last.columns += columns;
    } else pieces.push({ text, columns, wide: columns === 2 });
  }
  return pieces;
}

/** Cuts a piece that is wider than a whole line. */
function chop(piece: Piece, columns: number): Piece[] {
  if (piece.columns <= columns) return [piece];
  const chopped: Piece[] = [];
  let text = '';
  let used = 0;
  for (const grapheme of graphemes(piece.text)) {
    const width = graphemeColumns(grapheme);
    if (used + width > columns && text !== '') {
      chopped.push({ ...piece, text, columns: used });
      [text, used] = ['', 0];
    }
    text += grapheme;
    used += width;
  }
  return [...chopped, { ...piece, text, columns: used }];
}

function merged(pieces: readonly Piece[]): Span[] {
  const spans: { text: string; style: Style }[] = [];
  for (const { text, style } of pieces) {
    const last = spans.at(-1);
    if (last?.style === style) last.text += text;
    else spans.push({ text, style });
  }
  return spans;
}

/** A line as rows of at most `columns`, broken at spaces and between wide characters; what is wider than a row is cut. */
export function wrapLine(line: Line, columns: number, margin: Margin = noMargin): Line[] {
  const [first, rest] = [margin.first, margin.rest].map((part) =>
    columnsOf(part.map(({ text }) => text).join('')),
  );
  const room = (row: number): number => Math.max(1, columns - ((row === 0 ? first : rest) ?? 0));
  const rows: Piece[][] = [[]];
  let used = 0;
  const narrowest = Math.min(room(0), room(1));
  for (const piece of line.flatMap(piecesOf).flatMap((whole) => chop(whole, narrowest))) {
    if (used + piece.columns > room(rows.length - 1) && used > 0) {
      // The space at which a line was broken is not seen.
      if (rows.at(-1)?.at(-1)?.isSpace === true) rows.at(-1)?.pop();
      rows.push([]);
      used = 0;
      if (piece.isSpace) continue;
    }
    rows.at(-1)?.push(piece);
    used += piece.columns;
  }
  return rows.map((row, index) => [...(index === 0 ? margin.first : margin.rest), ...merged(row)]);
}

/** Lines one after the other, each wrapped; the first one's margin is the text's. */
export function wrapLines(lines: readonly Line[], columns: number, margin: Margin = noMargin): Line[] {
  return lines.flatMap((line, index) =>
    wrapLine(line, columns, index === 0 ? margin : { first: margin.rest, rest: margin.rest }),
  );
}
