import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ScrollPlace } from '../../ui/view-memory.ts';
import { useViewMemory } from '../../ui/window-context.tsx';
import { isNearTop, placeOf, type RowBox, rowPlace } from './scroll-place.ts';

/** The two elements of a scrolled list: the pane, and the box that holds nothing but rows (`data-seq`). */
export interface ScrollRefs {
  readonly pane: RefObject<HTMLDivElement | null>;
  readonly rows: RefObject<HTMLDivElement | null>;
}

export interface AnchoredScroll {
  readonly isAtEnd: boolean;
  /** The newest row that was there when the end was last in sight. */
  readonly seenSeq: number;
  toEnd(): void;
}

/** What is scrolled. `revision` changes with the rows, `lastSeq` is the newest one. */
export interface ScrolledRows {
  readonly session: string;
  readonly revision: unknown;
  readonly lastSeq: number;
  /** Older rows are wanted: by scrolling, or because the rows do not fill the pane. */
  onNearTop(isScrolled: boolean): void;
}

/**
 * Follows at the end; anywhere else the first row in sight stays where it is, whatever is added above or below or changes its
 * height.
 */
export function useAnchoredScroll(
  { pane, rows }: ScrollRefs,
  { session, revision, lastSeq, onNearTop }: ScrolledRows,
): AnchoredScroll {
  const memory = useViewMemory();
  const [first] = useState(() => memory.place(session));
  const place = useRef(first);
  const [isAtEnd, setAtEnd] = useState(first.kind === 'end');
  const [seenSeq, setSeenSeq] = useState(lastSeq);
  if (isAtEnd && seenSeq !== lastSeq) setSeenSeq(lastSeq);

  const settle = useCallback(() => {
    if (pane.current === null || rows.current === null) return;
    const { current: wanted } = place;
    if (wanted.kind === 'end') pane.current.scrollTo(0, pane.current.scrollHeight);
    else holdRow(pane.current, rows.current, wanted.seq, wanted.offset);
  }, [pane, rows]);
  const keep = useCallback(
    (next: ScrollPlace) => {
      place.current = next;
      memory.keepPlace(session, next);
      setAtEnd(next.kind === 'end');
    },
    [memory, session],
  );

  useLayoutEffect(settle, [settle, revision]);
  useResize(pane, rows, settle);
  usePersonScrolls({ pane, rows }, keep);
  useNearTop(pane, revision, onNearTop);
  const toEnd = useCallback(() => {
    keep({ kind: 'end' });
    settle();
  }, [keep, settle]);
  return { isAtEnd, seenSeq, toEnd };
}

function useNearTop(pane: ScrollRefs['pane'], revision: unknown, onNearTop: ScrolledRows['onNearTop']): void {
  useEffect(() => {
    const { current } = pane;
    const check = (isScrolled: boolean): void => {
      if (current !== null && isNearTop(current)) onNearTop(isScrolled);
    };
    const onScroll = (): void => check(true);
    check(false);
    current?.addEventListener('scroll', onScroll, { passive: true });
    return () => current?.removeEventListener('scroll', onScroll);
  }, [pane, onNearTop, revision]);
}

function rowBoxes(rows: HTMLElement): { length: number; at(index: number): RowBox } {
  const { children } = rows;
  return {
    length: children.length,
    at(index) {
      const row = children[index] as HTMLElement;
      return { seq: Number(row.dataset.seq), top: row.offsetTop, height: row.offsetHeight };
    },
  };
}

function holdRow(pane: HTMLElement, rows: HTMLElement, seq: number, offset: number): void {
  const row = [...rows.children].findLast((child) => Number((child as HTMLElement).dataset.seq) <= seq);
  const moved = row === undefined ? 0 : (row as HTMLElement).offsetTop - pane.scrollTop - offset;
  if (moved !== 0) pane.scrollBy(0, moved);
}

/** The pane grows and shrinks with the window, the card and the composer; what is around the rows with them and with folds. */
function useResize(pane: ScrollRefs['pane'], rows: ScrollRefs['rows'], settle: () => void): void {
  useEffect(() => {
    const observer = new ResizeObserver(settle);
    if (pane.current !== null) observer.observe(pane.current);
    const content = rows.current?.parentElement ?? null;
    if (content !== null) observer.observe(content);
    return () => observer.disconnect();
  }, [pane, rows, settle]);
}

/** A wheel upwards lets go of the end at once: the scroll event comes late, and rows that stream in would pull back. */
function usePersonScrolls({ pane, rows }: ScrollRefs, keep: (place: ScrollPlace) => void): void {
  useEffect(() => {
    const [box, list] = [pane.current, rows.current];
    if (box === null || list === null) return undefined;
    const onScroll = (): void => keep(placeOf(box, rowBoxes(list)));
    const onWheel = ({ deltaY }: WheelEvent): void => {
      const canScroll = box.scrollHeight > box.clientHeight && box.scrollTop > 0;
      if (deltaY < 0 && canScroll && list.children.length > 0) keep(rowPlace(box, rowBoxes(list)));
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    box.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      box.removeEventListener('scroll', onScroll);
      box.removeEventListener('wheel', onWheel);
    };
  }, [pane, rows, keep]);
}
