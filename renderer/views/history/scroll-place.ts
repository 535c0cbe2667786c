import type { ScrollPlace } from '../../ui/view-memory.ts';

/** What of an element tells where it is scrolled to. */
export interface ScrollBox {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/** A row's place in its pane: its top and height, px from the top of what is scrolled. */
export interface RowBox {
  readonly seq: number;
  readonly top: number;
  readonly height: number;
}

/** Rows sorted by top, read by index: those that are drawn, or all as far as they are measured. */
export interface RowBoxes {
  readonly length: number;
  at(index: number): RowBox;
}

/** Rounding and zoom leave a little below the last line. */
const endTolerance = 8;
/** Pages are asked for before the person reaches the edge, px. */
const edgeMargin = 900;

/** True when the last line is in sight. */
export function isAtEnd({ scrollTop, clientHeight, scrollHeight }: ScrollBox): boolean {
  return scrollHeight - scrollTop - clientHeight <= endTolerance;
}

/** True when it is time for the next older page. */
export function isNearTop({ scrollTop }: ScrollBox): boolean {
  return scrollTop < edgeMargin;
}

/** True when it is time for the next newer page. */
export function isNearBottom({ scrollTop, clientHeight, scrollHeight }: ScrollBox): boolean {
  return scrollHeight - scrollTop - clientHeight < edgeMargin;
}

/** Where a pane is scrolled to: at its end, or at the first of its rows that is in sight. `unsure`: a row that may go. */
export function placeOf(box: ScrollBox, rows: RowBoxes, unsure: number | null = null): ScrollPlace {
  if (isAtEnd(box) || rows.length === 0) return { kind: 'end' };
  return rowPlace(box, rows, unsure);
}

/** The first row in sight, also at the end: where the person holds on when they begin to scroll up. */
export function rowPlace(box: ScrollBox, rows: RowBoxes, unsure: number | null = null): ScrollPlace {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { top, height } = rows.at(middle);
    if (top + height <= box.scrollTop) low = middle + 1;
    else high = middle;
  }
  if (rows.at(low).seq === unsure && low < rows.length - 1) low += 1;
  const { seq, top } = rows.at(low);
  return { kind: 'row', seq, offset: top - box.scrollTop };
}

/** True when the drawn rows reach over the whole of what is in sight. */
export function covers(box: ScrollBox, rows: RowBoxes): boolean {
  if (rows.length === 0) return false;
  const [first, last] = [rows.at(0), rows.at(rows.length - 1)];
  return first.top <= box.scrollTop && last.top + last.height >= box.scrollTop;
}

/** True when the drawn rows leave nothing empty of what is in sight, as far as there are rows. */
export function fills(box: ScrollBox, rows: RowBoxes): boolean {
  if (!covers(box, rows)) return false;
  const last = rows.at(rows.length - 1);
  return last.top + last.height >= Math.min(box.scrollTop + box.clientHeight, box.scrollHeight - edgeMargin);
}

/** The index of the row with this seq, or of the last one before it; -1 when all are newer. */
export function indexOfSeq(rows: readonly { readonly seq: number }[], seq: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
