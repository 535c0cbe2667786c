import type { Measure } from './peers/published.ts';

/** One figure of a row. `pass` is this version's line, `target` the aim of the project; both as "at most" or "at least". */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: number;
  readonly pass?: number;
  readonly better?: 'lower' | 'higher';
  /** The peers' table has the same measure. */
  readonly measure?: Measure;
  /** How it came about: count of samples, spread. */
  readonly note?: string;
}

/** One thing that is measured; it cleans up after itself. */
export interface Row {
  readonly name: string;
  readonly title: string;
  run(): Promise<readonly Figure[]>;
}

/** Whether a figure keeps its line; undefined where there is none. */
export function passes({ value, pass, target, better = 'lower' }: Figure): boolean | undefined {
  const line = pass ?? target;
  if (line === undefined) return undefined;
  return better === 'lower' ? value <= line : value >= line;
}
