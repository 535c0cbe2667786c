import { fitWidth, padWidth, textWidth } from './text-width.ts';

/** One cell; `paint` colours it after it has been measured. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** The least that a cut column keeps. */
const narrowest = 8;

function measure(rows: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach(({ text }, index) => {
      widths[index] = Math.max(widths[index] ?? 0, textWidth(text));
    });
  }
  return widths;
}

/** Takes columns from the widest until the line fits. */
function shrink(widths: readonly number[], columns: number): number[] {
  const shrunk = [...widths];
  const gaps = 2 * Math.max(0, widths.length - 1);
  for (let surplus = shrunk.reduce((sum, width) => sum + width, gaps) - columns; surplus > 0; ) {
    const widest = Math.max(...shrunk);
    if (widest <= narrowest) break;
    const second = Math.max(narrowest, ...shrunk.filter((width) => width < widest));
    const take = Math.min(surplus, Math.max(1, widest - second));
    shrunk[shrunk.indexOf(widest)] = widest - take;
    surplus -= take;
  }
  return shrunk;
}

/** Rows as aligned lines, two spaces between columns; with `columns` the widest cells are cut so that no line is longer. */
export function table(rows: readonly (readonly Cell[])[], columns: number | undefined): string {
  const natural = measure(rows);
  const widths = columns === undefined ? natural : shrink(natural, columns);
  const lines = rows.map((row) =>
    row
      .map(({ text, paint }, index) => {
        const width = widths[index] ?? 0;
        const fitted = fitWidth(text, width);
        const padded = index === row.length - 1 ? fitted : padWidth(fitted, width);
        return paint === undefined ? padded : paint(padded);
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}
