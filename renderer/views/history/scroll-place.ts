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

/** Rounding and zoom leave a little below the last line. */
const endTolerance = 8;
/** Older pages are asked for before the person reaches the top, px. */
const topMargin = 600;

/** True when the last line is in sight. */
export function isAtEnd({ scrollTop, clientHeight, scrollHeight }: ScrollBox): boolean {
  return scrollHeight - scrollTop - clientHeight <= endTolerance;
}

/** True when it is time for the next older page. */
export function isNearTop({ scrollTop }: ScrollBox): boolean {
  return scrollTop < topMargin;
}

/** Where a pane is scrolled to: at its end, or at the first of its rows (sorted by top, read by index) that is in sight. */
export function placeOf(
  box: ScrollBox,
  rows: { readonly length: number; at(index: number): RowBox },
): ScrollPlace {
  if (isAtEnd(box) || rows.length === 0) return { kind: 'end' };
  return rowPlace(box, rows);
}

/** The first row in sight, also at the end: where the person holds on when they begin to scroll up. */
export function rowPlace(
  box: ScrollBox,
  rows: { readonly length: number; at(index: number): RowBox },
): ScrollPlace {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { top, height } = rows.at(middle);
    if (top + height <= box.scrollTop) low = middle + 1;
    else high = middle;
  }
  const { seq, top } = rows.at(low);
  return { kind: 'row', seq, offset: top - box.scrollTop };
}
