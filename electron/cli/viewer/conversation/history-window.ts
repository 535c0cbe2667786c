import type { Line } from '../text/line.ts';

/** Something with rows in the history. Entries are sorted by `seq`, each once; rows are made when they are first needed. */
export interface Entry {
  readonly seq: number;
  lines(): readonly Line[];
}

/** Where the history stands: at its end, which it then follows, or with one row at the top. */
export type Place =
  | { readonly kind: 'end' }
  | { readonly kind: 'row'; readonly seq: number; readonly line: number };

/** What of the history is in sight. */
export interface HistoryWindow {
  readonly rows: readonly Line[];
  readonly isAtEnd: boolean;
  /** The entry and row at the top. */
  readonly top: Spot;
  /** Newest entry of which a row is in sight; -1 for none. */
  readonly newestSeq: number;
}

interface Spot {
  readonly index: number;
  readonly line: number;
}

const heightOf = (entries: readonly Entry[], index: number): number => entries[index]?.lines().length ?? 0;

/** The spot `rows` rows above; the first row of all when there are not so many. */
function above(entries: readonly Entry[], from: Spot, rows: number): Spot {
  let { index, line } = from;
  let left = rows;
  while (left > line) {
    if (index === 0) return { index: 0, line: 0 };
    left -= line;
    index -= 1;
    line = heightOf(entries, index);
  }
  return { index, line: line - left };
}

/** The spot `rows` rows below; past the last entry when there are not so many. */
function below(entries: readonly Entry[], from: Spot, rows: number): Spot {
  let { index, line } = from;
  let left = rows;
  while (index < entries.length && line + left >= heightOf(entries, index)) {
    left -= heightOf(entries, index) - line;
    index += 1;
    line = 0;
  }
  return { index, line: index < entries.length ? line + left : 0 };
}

/** The place as a spot; what is not loaded any more, or became part of an earlier entry, is the entry before it. */
function spotOf(
  entries: readonly Entry[],
  { seq, line }: { readonly seq: number; readonly line: number },
): Spot {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  const index = Math.max(0, low - 1);
  const isSame = entries[index]?.seq === seq;
  return { index, line: isSame ? Math.min(line, Math.max(0, heightOf(entries, index) - 1)) : 0 };
}

function topAtEnd(entries: readonly Entry[], height: number): Spot {
  return above(entries, { index: entries.length, line: 0 }, height);
}

function isBefore(left: Spot, right: Spot): boolean {
  return left.index < right.index || (left.index === right.index && left.line < right.line);
}

/** The top row of a place; null at the end. */
function topOf(entries: readonly Entry[], place: Place, height: number): Spot | null {
  if (place.kind === 'end') return null;
  const spot = spotOf(entries, place);
  return isBefore(spot, topAtEnd(entries, height)) ? spot : null;
}

/** The rows in sight at a place. Only entries in sight, and those a screen before the end, are laid out. */
export function historyWindow(entries: readonly Entry[], place: Place, height: number): HistoryWindow {
  const held = topOf(entries, place, height);
  const top = held ?? topAtEnd(entries, height);
  const rows: Line[] = [];
  let newestSeq = -1;
  for (let { index, line } = top; index < entries.length && rows.length < height; index += 1, line = 0) {
    const lines = entries[index]?.lines() ?? [];
    rows.push(...lines.slice(line, line + height - rows.length));
    if (lines.length > 0) newestSeq = entries[index]?.seq ?? newestSeq;
  }
  return { rows, isAtEnd: held === null, top, newestSeq };
}

/** The same spot at an entry that has rows: what has none yet may get some, and must not push what is in sight down. */
function shownFrom(entries: readonly Entry[], spot: Spot): Spot {
  let { index } = spot;
  while (index < entries.length - 1 && heightOf(entries, index) === 0) index += 1;
  return index === spot.index ? spot : { index, line: 0 };
}

/** The place `delta` rows further down (negative: up). */
export function scrolled(entries: readonly Entry[], place: Place, height: number, delta: number): Place {
  if (entries.length === 0) return { kind: 'end' };
  const end = topAtEnd(entries, height);
  const from = topOf(entries, place, height) ?? end;
  const to = shownFrom(entries, delta < 0 ? above(entries, from, -delta) : below(entries, from, delta));
  if (!isBefore(to, end)) return { kind: 'end' };
  return { kind: 'row', seq: entries[to.index]?.seq ?? 0, line: to.line };
}
