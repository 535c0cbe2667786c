import type { Table, TableRow } from 'mdast';
import { inlineSpans } from './inline-spans.ts';
import { type Line, lineColumns, type Span, span } from './line.ts';
import { indent, wrapLine } from './wrap-line.ts';

/** Between two columns. */
const gap = 2;
/** A column that is narrower than this is no column any more. */
const narrowest = 6;

function cellsOf({ children }: TableRow): Span[][] {
  return children.map((cell) => inlineSpans(cell.children).filter(({ text }) => text !== '\n'));
}

/** Columns that fit: the widest give way first; null when there is no room for a table. */
function fittedWidths(rows: readonly Span[][][], columns: number): number[] | null {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(1, ...rows.map((row) => lineColumns(row[index] ?? []))),
  );
  const room = columns - gap * (count - 1);
  for (let surplus = widths.reduce((sum, width) => sum + width, 0) - room; surplus > 0; surplus -= 1) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) return null;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

type Align = NonNullable<Table['align']>;

function rowLines(row: readonly Span[][], widths: readonly number[], align: Align): Line[] {
  const cells = widths.map((width, index) => wrapLine(row[index] ?? [], width));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    widths.flatMap((width, index) => {
      const text = cells[index]?.[line] ?? [];
      const free = Math.max(0, width - lineColumns(text));
      const before = align[index] === 'right' ? free : align[index] === 'center' ? Math.floor(free / 2) : 0;
      const isLast = index === widths.length - 1;
      const after = isLast ? [] : [span(' '.repeat(free - before + gap))];
      return before === 0 ? [...text, ...after] : [span(' '.repeat(before)), ...text, ...after];
    }),
  );
}

/** Where there is no room beside each other, every cell stands under its heading's name. */
function stacked(rows: readonly Span[][][], columns: number): Line[] {
  const [head = [], ...body] = rows;
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => {
      const name = [...(head[column] ?? []), span(': ')].map(({ text }) => span(text, 'muted'));
      return wrapLine([...name, ...cell], columns, { first: [], rest: indent(2).rest });
    }),
  ]);
}

/** A table without borders: aligned columns under their headings, or cells one below the other in a narrow terminal. */
export function tableLines(table: Table, columns: number): Line[] {
  const rows = table.children.map(cellsOf);
  const widths = fittedWidths(rows, columns);
  if (widths === null) return stacked(rows, columns);
  const [head = [], ...body] = rows;
  const strong = head.map((cell) => cell.map(({ text }) => span(text, 'strong')));
  const align = table.align ?? [];
  const rule = widths.map((width) => '─'.repeat(width)).join(' '.repeat(gap));
  return [
    ...rowLines(strong, widths, align),
    [span(rule, 'muted')],
    ...body.flatMap((row) => rowLines(row, widths, align)),
  ];
}
