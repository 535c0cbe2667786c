import { cellLines } from './cell-lines.ts';
import { padWidth, textWidth } from './text-width.ts';

/** One cell; `paint` colours it after it has been measured. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
  /** What happens where there is no room: it is cut (absent), goes on in the next line (never the first: its words would begin lines), or keeps its width (to be copied). */
  readonly fit?: 'cut' | 'wrap' | 'whole';
}
type Row = readonly Cell[];

/** The least that a column keeps which is cut or goes on. */
const narrowest = 8;

function measure(rows: readonly Row[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach(({ text }, index) => {
      widths[index] = Math.max(widths[index] ?? 0, textWidth(text));
    });
  }
  return widths;
}

function widthOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 2 * Math.max(0, widths.length - 1));
}

/** Takes columns from the widest that may shrink until the line fits. */
function shrink(widths: readonly number[], columns: number, isWhole: (column: number) => boolean): number[] {
  const shrunk = [...widths];
  for (let surplus = widthOf(widths) - columns; surplus > 0; ) {
    const open = shrunk.filter((_width, column) => !isWhole(column));
    const widest = Math.max(0, ...open);
    if (widest <= narrowest) break;
    const second = Math.max(narrowest, ...open.filter((width) => width < widest));
    const take = Math.min(surplus, Math.max(1, widest - second));
    const column = shrunk.findIndex((width, index) => width === widest && !isWhole(index));
    shrunk[column] = widest - take;
    surplus -= take;
  }
  return shrunk;
}

function rowLines(row: Row, widths: readonly number[]): string[] {
  const cells = row.map(({ text, fit }, index) => cellLines(text, widths[index] ?? 0, fit === 'wrap'));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    row
      .map(({ paint }, index) => {
        const text = cells[index]?.[line] ?? '';
        const padded = index === row.length - 1 ? text : padWidth(text, widths[index] ?? 0);
        return paint === undefined || text === '' ? padded : paint(padded);
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Cells that must stay whole stand below their row, where the terminal is too narrow to have them beside the others. */
function stacked(rows: readonly Row[], columns: number, isWhole: (column: number) => boolean): string[] {
  const others = rows.map((row) => row.filter((_cell, column) => !isWhole(column)));
  const widths = shrink(measure(others), columns, () => false);
  return rows.flatMap((row, index) => {
    const whole = row.filter((_cell, column) => isWhole(column));
    const below = whole.map(({ text, paint = (same) => same }) => `  ${paint(text)}`);
    return [...rowLines(others[index] ?? [], widths), ...below];
  });
}

function linesOf(rows: readonly Row[], columns: number | undefined): string[] {
  const natural = measure(rows);
  if (columns === undefined) return rows.flatMap((row) => rowLines(row, natural));
  const whole = new Set(
    rows.flatMap((row) => row.flatMap(({ fit }, column) => (fit === 'whole' ? [column] : []))),
  );
  const isWhole = (column: number): boolean => whole.has(column);
  const widths = shrink(natural, columns, isWhole);
  if (whole.size > 0 && widthOf(widths) > columns) return stacked(rows, columns, isWhole);
  return rows.flatMap((row) => rowLines(row, widths));
}

/** Rows as aligned lines, two spaces between columns; with `columns` the widest cells give way so that no line is longer. */
export function table(rows: readonly Row[], columns: number | undefined): string {
  return linesOf(rows, columns)
    .map((line) => `${line}\n`)
    .join('');
}
