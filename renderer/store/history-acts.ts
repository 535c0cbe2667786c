import { eventPageSchema, type EventPage, limits } from '../../shared/protocol/bridge.ts';
import { addPage, missingSeqs, olderThan } from '../../shared/session/session-view.ts';
import { withPage } from '../../shared/viewing/apply-frame.ts';
import type { Asked } from '../../shared/viewing/fault.ts';
import type { ActContext } from './context.ts';
import {
  liveKept,
  liveMost,
  pastOf,
  pastPage,
  type PastView,
  shortened,
  touches,
  withNewerPage,
  withOlderPage,
} from './past.ts';
import type { OlderPages, WindowState } from './window-state.ts';

/** Events shown below one that was looked for. */
const belowFound = 60;

/** History beyond what the topic sends. */
export interface HistoryActs {
  /** Loads the next older page, unless one is on its way or the first event is loaded. */
  loadOlder(session: string): void;
  /** Loads the next newer page of a stretch of the past; at its end the session's own page is shown again. */
  loadNewer(session: string): void;
  /** Leaves the past: the end of the session is shown, and only its newest events are kept. */
  toNewest(session: string): void;
  /** Shows the history around an event. */
  goTo(session: string, seq: number): void;
  /** The event is in sight, at the row `seq`. */
  arrived(session: string, seq: number): void;
  /** Fetches events that were too large for a frame. */
  fillHoles(session: string): void;
}

type Range = { readonly before: number } | { readonly after: number };

export function createHistoryActs(context: ActContext): HistoryActs {
  const { store } = context;
  const filling = new Set<string>();
  return {
    loadOlder: (session) => loadOlder(context, session),
    loadNewer: (session) => loadNewer(context, session),
    toNewest(session) {
      store.setState((state) => {
        const page = state.pages[session];
        const kept = page === undefined ? state : withPage(state, session, shortened(page, liveKept));
        return { ...kept, ...withoutPast(state, session), ...withOlder(state, session, null) };
      });
    },
    goTo: (session, seq) => void goTo(context, session, seq),
    arrived: (session, seq) => store.setState({ goingTo: null, found: { session, seq } }),
    fillHoles(session) {
      const page = store.getState().pages[session];
      const missing = page === undefined ? undefined : missingSeqs(page)[0];
      if (missing === undefined || filling.has(session)) return;
      filling.add(session);
      void fetchEvents(context, session, { before: missing + 1 }, 1).then((asked) => {
        filling.delete(session);
        if (!asked.ok) return;
        addToPage(context, session, asked.value);
        this.fillHoles(session);
      });
    },
  };
}

function fetchEvents(
  { http }: ActContext,
  session: string,
  range: Range,
  limit: number,
): Promise<Asked<EventPage>> {
  const where = 'before' in range ? `before=${range.before}` : `after=${range.after}`;
  const path = `/sessions/${encodeURIComponent(session)}/events?${where}&limit=${limit}`;
  return http.ask({ path }, eventPageSchema);
}

function addToPage({ store }: ActContext, session: string, { events }: EventPage): void {
  store.setState((state) => {
    const page = state.pages[session];
    return page === undefined ? state : withPage(state, session, addPage(page, events));
  });
}

function loadOlder(context: ActContext, session: string): void {
  const { store } = context;
  const { pages, past, older } = store.getState();
  const [page, stretch] = [pages[session], past[session]];
  if (page === undefined || older[session]?.kind === 'loading') return;
  const before = stretch === undefined ? olderThan(page) : firstSeq(stretch);
  if (before === null || before <= 1) return;
  const isDeep = stretch !== undefined || page.events.length >= liveMost;
  loading(context, session, { before }, isDeep ? pastPage : limits.page, (found) => {
    if (!isDeep) return addToPage(context, session, found);
    store.setState((state) => {
      const events = state.past[session]?.events ?? state.pages[session]?.events ?? [];
      return { past: { ...state.past, [session]: withOlderPage(events, found.events) } };
    });
  });
}

function loadNewer(context: ActContext, session: string): void {
  const { store } = context;
  const { past, older } = store.getState();
  const stretch = past[session];
  if (stretch === undefined || older[session]?.kind === 'loading') return;
  loading(context, session, { after: stretch.events.at(-1)?.seq ?? 0 }, pastPage, ({ events }) => {
    store.setState((state) => {
      const [page, known] = [state.pages[session], state.past[session]];
      if (known === undefined) return state;
      const next = withNewerPage(known.events, events);
      if (page === undefined || !touches(next, page)) return { past: { ...state.past, [session]: next } };
      const joined = withPage(state, session, addPage(page, next.events));
      return { ...joined, ...withoutPast(state, session) };
    });
  });
}

/** One page at a time; why one did not come stands at the edge of what is loaded. */
function loading(
  context: ActContext,
  session: string,
  range: Range,
  limit: number,
  use: (found: EventPage) => void,
): void {
  const { store, clock } = context;
  const own: OlderPages = { kind: 'loading', since: clock.now() };
  store.setState((state) => withOlder(state, session, own));
  void fetchEvents(context, session, range, limit).then((asked) => {
    // The person went elsewhere in this history meanwhile.
    if (store.getState().older[session] !== own) return;
    if (asked.ok) use(asked.value);
    const failed = asked.ok ? null : ({ kind: 'failed', fault: asked.fault } as const);
    store.setState((state) => withOlder(state, session, failed));
  });
}

async function goTo(context: ActContext, session: string, seq: number): Promise<void> {
  const { store } = context;
  store.setState({ goingTo: { session, seq } });
  const isLoaded = (events: readonly { readonly seq: number }[] | undefined): boolean =>
    events !== undefined &&
    (events[0]?.seq ?? Number.POSITIVE_INFINITY) <= seq &&
    seq <= (events.at(-1)?.seq ?? 0);
  const { pages, past } = store.getState();
  if (isLoaded(past[session]?.events)) return;
  if (past[session] === undefined && isLoaded(pages[session]?.events)) return;
  const asked = await fetchEvents(context, session, { before: seq + belowFound }, pastPage);
  if (!asked.ok) return store.setState({ goingTo: null, fault: asked.fault });
  store.setState((state) => ({ past: { ...state.past, [session]: pastOf(asked.value.events) } }));
}

function firstSeq({ events }: PastView): number {
  return events[0]?.seq ?? 1;
}

function withoutPast({ past }: WindowState, session: string): Pick<WindowState, 'past'> {
  const { [session]: _, ...others } = past;
  return { past: others };
}

function withOlder(state: WindowState, session: string, next: OlderPages | null): Pick<WindowState, 'older'> {
  const { [session]: _, ...others } = state.older;
  return { older: next === null ? others : { ...others, [session]: next } };
}
