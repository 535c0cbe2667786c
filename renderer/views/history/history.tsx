import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { olderThan, type SessionPageView } from '../../../shared/session/session-view.ts';
import type { UnsentMessage } from '../../../shared/viewing/unsent-message.ts';
import { Icon } from '../../ui/icons.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { stopProps } from '../shell/stops.ts';
import { DraftRow } from './draft-row.tsx';
import { ItemRow } from './item-row.tsx';
import { OlderEdge } from './older-edge.tsx';
import { UnsentRow } from './unsent-row.tsx';
import { useAnchoredScroll } from './use-anchored-scroll.ts';
import { turnsOf, visibleItems } from '../../../shared/viewing/visible-items.ts';
import './history.css';

/** Pages that are loaded unasked to fill the pane after a session was opened (behaviour 3). */
const pagesOnOpening = 10;

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
  const unsent = useUnsent(session);
  const items = useMemo(() => visibleItems(page.items, isDetailed), [page.items, isDetailed]);
  const turns = useMemo(() => turnsOf(page.items, isDetailed), [page.items, isDetailed]);
  const lastSeq = items.at(-1)?.seq ?? 0;
  const revision = useMemo(() => ({ items, draft: page.draft, unsent }), [items, page.draft, unsent]);
  const onNearTop = useLoadMore(session);
  const pane = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const scroll = useAnchoredScroll({ pane, rows }, { session, revision, lastSeq, onNearTop });
  const below = items.filter(({ seq }) => seq > scroll.seenSeq).length;
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
          <OlderEdge session={session} page={page} />
          {isEmpty ? <p className="history-note">{text.history.empty}</p> : null}
          <div className="history-rows" ref={rows}>
            {items.map((item) => (
              <div key={`${item.kind}-${item.seq}`} data-seq={item.seq} className="history-row">
                <ItemRow item={item} turns={turns} isDetailed={isDetailed} />
              </div>
            ))}
          </div>
          {unsent.map((message) => (
            <UnsentRow key={message.uuid} message={message} />
          ))}
          <DraftRow draft={page.draft} isDetailed={isDetailed} />
        </div>
      </div>
      {scroll.isAtEnd ? null : (
        <button type="button" className="below-pill" onClick={scroll.toEnd}>
          <Icon name="down" />
          {below === 0 ? text.history.toEnd : text.history.below(below)}
        </button>
      )}
    </div>
  );
}

function useUnsent(session: string): readonly UnsentMessage[] {
  const all = useWindow((state) => state.unsent);
  return useMemo(() => all.filter((message) => message.session === session), [all, session]);
}

/** Loads older pages when the top comes near: by itself a few times after opening, then only while the person scrolls. */
function useLoadMore(session: string): (isScrolled: boolean) => void {
  const { loadOlder } = useActs();
  const left = useRef(pagesOnOpening);
  const isFailed = useWindow(({ older }) => older[session]?.kind === 'failed');
  return useCallback(
    (isScrolled) => {
      if (isFailed || (!isScrolled && left.current <= 0)) return;
      if (!isScrolled) left.current -= 1;
      loadOlder(session);
    },
    [loadOlder, session, isFailed],
  );
}
