import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { SessionItem } from '../../../shared/session/session-view-items.ts';
import type { ScrollPlace } from '../../ui/view-memory.ts';
import { useViewMemory } from '../../ui/window-context.tsx';
import {
  covers,
  fills,
  indexOfSeq,
  isAtEnd,
  isNearBottom,
  isNearTop,
  placeOf,
  type RowBoxes,
  rowPlace,
} from './scroll-place.ts';

/** A row that was never drawn, px; measured sizes replace it. */
const guessedHeight = 84;
/** Rows that are drawn above and below what is in sight. */
const overscan = 6;
/** Times that rows are chosen anew for one change: guessed heights become measured ones on the way. */
const mostTries = 10;

export interface ScrollRefs {
  /** The pane that scrolls. */
  readonly pane: RefObject<HTMLDivElement | null>;
  /** The box that holds nothing but drawn rows (`data-seq`), and room for the others. */
  readonly rows: RefObject<HTMLDivElement | null>;
}

export interface AnchoredScroll {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>;
  readonly isAtEnd: boolean;
  /** The newest row that was there when the end was last in sight. */
  readonly seenSeq: number;
  goTo(place: ScrollPlace): void;
}

/** What is scrolled. `revision` changes with the rows and with what stands below them, `lastSeq` is the newest one. */
export interface ScrolledRows {
  readonly session: string;
  readonly items: readonly SessionItem[];
  readonly revision: unknown;
  readonly lastSeq: number;
  /** What is loaded ends where the history does: the end may be followed. */
  readonly isWhole: boolean;
  /** Rows beyond an edge are wanted: by scrolling, or because the rows do not fill the pane. */
  onNearEdge(edge: 'top' | 'bottom', isScrolled: boolean): void;
}

/** The key of a row over all pages: measured heights belong to it. */
export function rowKey({ kind, seq }: SessionItem): string {
  return `${kind}-${seq}`;
}

/**
 * Draws what is in sight. Follows at the end; anywhere else the first row in sight stays where it is, whatever is added, removed,
 * drawn or measured around it: its place is the truth, the scroll position follows from it.
 */
export function useAnchoredScroll(refs: ScrollRefs, rows: ScrolledRows): AnchoredScroll {
  const { session, items, revision, lastSeq, isWhole } = rows;
  const unsure = unsureRow(items);
  const { place, atEnd, keep } = usePlace(session);
  const known = useRef(0);
  const tries = useRef(0);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [seenSeq, setSeenSeq] = useState(lastSeq);
  if (atEnd && isWhole && seenSeq !== lastSeq) setSeenSeq(lastSeq);
  const virtualizer = useRows(refs, items);

  /** Takes over where the person scrolled to; a pane that only became shorter was not scrolled. */
  const look = useCallback(() => {
    const [box, list] = [refs.pane.current, refs.rows.current];
    if (box === null || list === null || Math.abs(box.scrollTop - known.current) < 1) return;
    const wasCut = box.scrollTop < known.current && isAtEnd(box) && place.current.kind === 'end';
    known.current = box.scrollTop;
    if (wasCut) return;
    const found = rowsInSight(box, list, { virtualizer, items });
    if (found.length > 0) keep(isWhole ? placeOf(box, found, unsure) : rowPlace(box, found, unsure));
  }, [refs.pane, refs.rows, place, virtualizer, items, isWhole, unsure, keep]);
  const settle = useCallback(() => {
    const [box, list] = [refs.pane.current, refs.rows.current];
    if (box === null || list === null) return;
    measure(list, virtualizer);
    // Where the person scrolled to is known here first: before the next picture, not one later.
    // oxlint-disable-next-line react/set-state-in-effect
    look();
    const top = topOf(place.current, box, list, { virtualizer, items });
    if (top !== null && Math.abs(top - box.scrollTop) >= 0.5) {
      box.scrollTop = top;
      tellOffset(virtualizer, box.scrollTop);
      if (tries.current > 0 && !fills(box, drawnRows(list))) {
        tries.current -= 1;
        redraw();
      }
    }
    known.current = box.scrollTop;
  }, [refs.pane, refs.rows, place, look, virtualizer, items]);

  useLayoutEffect(() => {
    tries.current = mostTries;
  }, [items]);
  useLayoutEffect(settle);
  useResize(refs, settle);
  usePersonScrolls(refs, { keep, look, unsure, virtualizer, items });
  useNearEdge(refs.pane, revision, rows.onNearEdge);
  const goTo = useCallback(
    (next: ScrollPlace) => {
      // Nothing the person did: what `look` would take over is left behind.
      known.current = refs.pane.current?.scrollTop ?? 0;
      keep(next);
      settle();
    },
    [keep, settle, refs.pane],
  );
  return { virtualizer, isAtEnd: atEnd && isWhole, seenSeq, goTo };
}

/** Where the pane is scrolled to, kept over switches between sessions; rendered anew only when the end is left or reached. */
function usePlace(session: string): {
  readonly place: RefObject<ScrollPlace>;
  readonly atEnd: boolean;
  readonly keep: (next: ScrollPlace) => void;
} {
  const memory = useViewMemory();
  const [first] = useState(() => memory.place(session));
  const place = useRef(first);
  const [atEnd, setAtEnd] = useState(first.kind === 'end');
  const keep = useCallback(
    (next: ScrollPlace) => {
      place.current = next;
      memory.keepPlace(session, next);
      setAtEnd(next.kind === 'end');
    },
    [memory, session],
  );
  return { place, atEnd, keep };
}

/**
 * The fold of calls whose turn began before what is loaded: with the next older page its calls move to where the turn's first call
 * is, and nobody can hold on to it.
 */
function unsureRow(items: readonly SessionItem[]): number | null {
  const fold = items.find(({ kind }) => kind === 'calls' || kind === 'turn');
  return fold?.kind === 'calls' ? fold.seq : null;
}

type Rows = Virtualizer<HTMLDivElement, HTMLDivElement>;

function useRows({ pane, rows }: ScrollRefs, items: readonly SessionItem[]): Rows {
  const [margin, setMargin] = useState(0);
  const getItemKey = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? index : rowKey(item);
    },
    [items],
  );
  // The compiler of React, which it would confuse, is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: items.length,
    getScrollElement: () => pane.current,
    estimateSize: () => guessedHeight,
    getItemKey,
    overscan,
    scrollMargin: margin,
  });
  // Where rows stand is decided here alone.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useLayoutEffect(() => {
    // What stands above the rows is measured with them; the same number changes nothing.
    // oxlint-disable-next-line react/set-state-in-effect
    setMargin(rows.current?.offsetTop ?? 0);
  }, [rows, items]);
  return virtualizer;
}

/** The rows that are drawn, as they stand in the page. */
function drawnRows(list: HTMLElement): RowBoxes {
  const { children } = list;
  return {
    length: children.length,
    at(index) {
      const row = children[index] as HTMLElement;
      return { seq: Number(row.dataset.seq), top: row.offsetTop, height: row.offsetHeight };
    },
  };
}

/** The virtualizer would hear of it with the next picture; this one would be empty where other rows are drawn. */
function tellOffset(virtualizer: Rows, top: number): void {
  virtualizer.scrollOffset = top;
}

/** Heights of drawn rows are known before the picture, also while somebody scrolls: later the picture would have to be mended. */
function measure(list: HTMLElement, virtualizer: Rows): void {
  for (const row of list.children as HTMLCollectionOf<HTMLDivElement>) {
    const height = virtualizer.options.measureElement(row, undefined, virtualizer);
    virtualizer.resizeItem(Number(row.dataset.index), height);
  }
}

interface Measured {
  readonly virtualizer: Rows;
  readonly items: readonly SessionItem[];
}

/** All rows, drawn or not, as far as they are measured. */
function measuredRows({ virtualizer, items }: Measured): RowBoxes {
  const { measurementsCache } = virtualizer;
  return {
    length: Math.min(measurementsCache.length, items.length),
    at(index) {
      const { start = 0, size = 0 } = measurementsCache[index] ?? {};
      return { seq: items[index]?.seq ?? 0, top: start, height: size };
    },
  };
}

/** Where the pane has to be scrolled to; null where nothing is there to hold on to. */
function topOf(place: ScrollPlace, box: HTMLElement, list: HTMLElement, all: Measured): number | null {
  if (place.kind === 'end') return box.scrollHeight - box.clientHeight;
  const index = indexOfSeq(all.items, place.seq);
  if (index < 0) return all.items.length === 0 ? null : list.offsetTop - place.offset;
  const drawn = [...list.children].find((row) => Number((row as HTMLElement).dataset.index) === index);
  const top =
    drawn === undefined ? all.virtualizer.measurementsCache[index]?.start : (drawn as HTMLElement).offsetTop;
  return top === undefined ? null : Math.max(0, top - place.offset);
}

function useNearEdge(pane: ScrollRefs['pane'], revision: unknown, onNear: ScrolledRows['onNearEdge']): void {
  useEffect(() => {
    const { current } = pane;
    const check = (isScrolled: boolean): void => {
      if (current === null) return;
      if (isNearTop(current)) onNear('top', isScrolled);
      if (isNearBottom(current)) onNear('bottom', isScrolled);
    };
    const onScroll = (): void => check(true);
    check(false);
    current?.addEventListener('scroll', onScroll, { passive: true });
    return () => current?.removeEventListener('scroll', onScroll);
  }, [pane, onNear, revision]);
}

/** The pane grows and shrinks with the window, the card and the composer; what is around the rows with them and with folds. */
function useResize({ pane, rows }: ScrollRefs, settle: () => void): void {
  useEffect(() => {
    const observer = new ResizeObserver(settle);
    if (pane.current !== null) observer.observe(pane.current);
    const content = rows.current?.parentElement ?? null;
    if (content !== null) observer.observe(content);
    return () => observer.disconnect();
  }, [pane, rows, settle]);
}

/** Rows by which a scroll position is told: those that are drawn, else as far as all are measured. */
function rowsInSight(box: HTMLElement, list: HTMLElement, all: Measured): RowBoxes {
  const drawn = drawnRows(list);
  return covers(box, drawn) ? drawn : measuredRows(all);
}

interface PersonScrolls extends Measured {
  readonly keep: (place: ScrollPlace) => void;
  readonly look: () => void;
  readonly unsure: number | null;
}

/** A wheel upwards lets go of the end at once: the scroll event comes late, and rows that stream in would pull back. */
function usePersonScrolls({ pane, rows }: ScrollRefs, given: PersonScrolls): void {
  const latest = useRef(given);
  useLayoutEffect(() => {
    latest.current = given;
  });
  useEffect(() => {
    const [box, list] = [pane.current, rows.current];
    if (box === null || list === null) return undefined;
    const onScroll = (): void => latest.current.look();
    const onWheel = ({ deltaY }: WheelEvent): void => {
      const canScroll = box.scrollHeight > box.clientHeight && box.scrollTop > 0;
      if (deltaY < 0 && canScroll && list.children.length > 0)
        latest.current.keep(rowPlace(box, rowsInSight(box, list, latest.current), latest.current.unsure));
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    box.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      box.removeEventListener('scroll', onScroll);
      box.removeEventListener('wheel', onWheel);
    };
  }, [pane, rows]);
}
