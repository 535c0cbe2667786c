import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { olderThan, type SessionPageView } from '../../../shared/session/session-view.ts';
import type { SessionItem } from '../../../shared/session/session-view-items.ts';
import type { UnsentMessage } from '../../../shared/viewing/unsent-message.ts';
import { turnsOf, visibleItems } from '../../../shared/viewing/visible-items.ts';
import { liveMost, type PastView } from '../../store/past.ts';
import { Icon } from '../../ui/icons.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { stopProps } from '../shell/stops.ts';
import { DraftRow } from './draft-row.tsx';
import { ItemRow } from './item-row.tsx';
import { OlderEdge } from './older-edge.tsx';
import { UnsentRow } from './unsent-row.tsx';
import { withoutTold } from './once-told.ts';
import { indexOfSeq } from './scroll-place.ts';
import { type AnchoredScroll, rowKey, useAnchoredScroll } from './use-anchored-scroll.ts';
import './history.css';

/** Pages that are loaded unasked to fill the pane after a session was opened (behaviour 3). */
const pagesOnOpening = 10;
/** How far from the top a row stands that was looked for, px. */
const foundOffset = 96;

/** A session's history, once its snapshot is there. */
export function History({ session }: { session: string }): ReactNode {
  const text = useText();
  const page = useWindow(({ pages }) => pages[session] ?? null);
  return page === null ? (
    <p className="centre tone-muted history-waiting">{text.history.loading}</p>
  ) : (
    <HistoryPane session={session} page={page} />
  );
}

function HistoryPane({ session, page }: { session: string; page: SessionPageView }): ReactNode {
  const text = useText();
  const isDetailed = useWindow((state) => state.isDetailed);
  const past = useWindow((state) => state.past[session] ?? null);
  const shown = past?.items ?? page.items;
  const unsent = useUnsent(session);
  const { parked } = page.session;
  const items = useMemo(
    () => withoutTold(visibleItems(shown, isDetailed), parked),
    [shown, isDetailed, parked],
  );
  const turns = useMemo(() => turnsOf(shown, isDetailed), [shown, isDetailed]);
  const revision = useMemo(() => ({ items, draft: page.draft, unsent }), [items, page.draft, unsent]);
  const onNearEdge = useLoadMore(session, past);
  const pane = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const lastSeq = newestSeq(page, past, items);
  const isWhole = past === null;
  const scroll = useAnchoredScroll(
    { pane, rows },
    { session, items, revision, lastSeq, isWhole, onNearEdge },
  );
  const found = useGoing(session, past?.events ?? page.events, items, scroll);
  useShortening(session, page, scroll.isAtEnd);
  const isEmpty = items.length === 0 && unsent.length === 0 && olderThan(page) === null;
  return (
    <div className="history-frame">
      {/* A pane that scrolls has to be reachable by keyboard. */}
      <div
        className="history"
        ref={pane}
        tabIndex={0}
        role="region"
        aria-label={text.history.label}
        {...stopProps}
      >
        <div className="history-column">
          <OlderEdge session={session} first={past?.events[0]?.seq ?? olderThan(page)} />
          {isEmpty ? <p className="history-note">{text.history.empty}</p> : null}
          <Rows {...{ session, rows, scroll, items, turns, isDetailed, found }} />
          {isWhole ? (
            <>
              {unsent.map((message) => (
                <UnsentRow key={message.uuid} message={message} />
              ))}
              <DraftRow draft={page.draft} isDetailed={isDetailed} />
            </>
          ) : null}
        </div>
      </div>
      <BelowPill {...{ session, page, items, scroll, isWhole }} />
    </div>
  );
}

function Rows(props: {
  readonly session: string;
  readonly rows: RefObject<HTMLDivElement | null>;
  readonly scroll: AnchoredScroll;
  readonly items: readonly SessionItem[];
  readonly turns: ReturnType<typeof turnsOf>;
  readonly isDetailed: boolean;
  readonly found: number | null;
}): ReactNode {
  const { session, rows, scroll, items, turns, isDetailed, found } = props;
  const { virtualizer } = scroll;
  const drawn = virtualizer.getVirtualItems();
  const before = (drawn[0]?.start ?? 0) - (drawn.length === 0 ? 0 : virtualizer.options.scrollMargin);
  const after = virtualizer.getTotalSize() - ((drawn.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin);
  return (
    <div
      className="history-rows"
      ref={rows}
      style={{ paddingTop: before, paddingBottom: drawn.length === 0 ? 0 : Math.max(0, after) }}
    >
      {drawn.map(({ index }) => {
        const item = items[index];
        return item === undefined ? null : (
          <div
            key={rowKey(item)}
            ref={virtualizer.measureElement}
            data-index={index}
            data-seq={item.seq}
            className={`history-row${item.seq === found ? ' is-found' : ''}`}
          >
            <ItemRow session={session} item={item} turns={turns} isDetailed={isDetailed} />
          </div>
        );
      })}
    </div>
  );
}

function BelowPill(props: {
  readonly session: string;
  readonly page: SessionPageView;
  readonly items: readonly SessionItem[];
  readonly scroll: AnchoredScroll;
  readonly isWhole: boolean;
}): ReactNode {
  const { session, page, items, scroll, isWhole } = props;
  const text = useText();
  const { toNewest } = useActs();
  const isDetailed = useWindow((state) => state.isDetailed);
  if (scroll.isAtEnd) return null;
  const newest = isWhole ? items : visibleItems(page.items, isDetailed);
  const below = newest.filter(({ seq }) => seq > scroll.seenSeq).length;
  return (
    <button
      type="button"
      className="below-pill"
      onClick={() => {
        toNewest(session);
        scroll.goTo({ kind: 'end' });
      }}
    >
      <Icon name="down" />
      {below === 0 ? text.history.toEnd : text.history.below(below)}
    </button>
  );
}

/** The newest row of the session, also while a stretch of its past is shown. */
function newestSeq(page: SessionPageView, past: PastView | null, items: readonly SessionItem[]): number {
  return past === null ? (items.at(-1)?.seq ?? 0) : page.seq;
}

function useUnsent(session: string): readonly UnsentMessage[] {
  const all = useWindow((state) => state.unsent);
  return useMemo(() => all.filter((message) => message.session === session), [all, session]);
}

/** Loads pages when an edge comes near: older ones by themselves a few times after opening, then only while the person scrolls. */
function useLoadMore(
  session: string,
  past: PastView | null,
): (edge: 'top' | 'bottom', isScrolled: boolean) => void {
  const { loadOlder, loadNewer } = useActs();
  const left = useRef(pagesOnOpening);
  const isFailed = useWindow(({ older }) => older[session]?.kind === 'failed');
  const isPast = past !== null;
  return useCallback(
    (edge, isScrolled) => {
      if (isFailed) return;
      if (edge === 'bottom') {
        if (isPast) loadNewer(session);
        return;
      }
      // Who scrolls wants more than a page whose rows are all folded away.
      if (isScrolled) left.current = pagesOnOpening;
      else if (left.current <= 0) return;
      else left.current -= 1;
      loadOlder(session);
    },
    [loadOlder, loadNewer, session, isFailed, isPast],
  );
}

/** Brings an event into sight that was looked for, as soon as it is loaded; gives the row it belongs to. */
function useGoing(
  session: string,
  events: readonly { readonly seq: number }[],
  items: readonly SessionItem[],
  { goTo: scrollTo }: AnchoredScroll,
): number | null {
  const going = useWindow(({ goingTo }) => (goingTo?.session === session ? goingTo.seq : null));
  const found = useWindow((state) => (state.found?.session === session ? state.found.seq : null));
  const { arrived } = useActs();
  const [first, last] = [events[0]?.seq ?? Number.POSITIVE_INFINITY, events.at(-1)?.seq ?? 0];
  useEffect(() => {
    if (going === null || going < first || going > last) return;
    // What a fold or the detail view holds is found at the row before it.
    const row = items[Math.max(0, indexOfSeq(items, going))];
    if (row !== undefined) scrollTo({ kind: 'row', seq: row.seq, offset: foundOffset });
    arrived(session, row?.seq ?? going);
  }, [session, going, first, last, items, scrollTo, arrived]);
  return found;
}

/** A window that follows a busy session for days holds its end, not all of it. */
function useShortening(session: string, page: SessionPageView, isAtEnd: boolean): void {
  const { toNewest } = useActs();
  const isLong = page.events.length > 2 * liveMost;
  useEffect(() => {
    if (isLong && isAtEnd) toNewest(session);
  }, [isLong, isAtEnd, toNewest, session]);
}
