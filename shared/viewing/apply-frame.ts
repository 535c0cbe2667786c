import { homeViewSchema, type ServerFrame, sessionSnapshotSchema } from '../protocol/bridge.ts';
import { openHome, reduceHome } from '../session/home-view.ts';
import {
  addPage,
  openSession,
  reduceSession,
  type SessionChange,
  type SessionPageView,
} from '../session/session-view.ts';
import type { SessionSnapshot } from '../session/session-view-schema.ts';
import type { HomeView } from '../session/home-view-schema.ts';
import type { UnsentMessage } from './unsent-message.ts';

/** What a viewer holds of the bridge's topics. */
export interface Followed {
  readonly home: HomeView | null;
  /** Sessions that were opened, by id. */
  readonly pages: Readonly<Record<string, SessionPageView>>;
  readonly unsent: readonly UnsentMessage[];
}

const sessionPrefix = 'session:';

/** The topic of a session. */
export function sessionTopic(session: string): string {
  return `${sessionPrefix}${session}`;
}

/** The session of a topic, or null for other topics. */
export function sessionOfTopic(topic: string): string | null {
  return topic.startsWith(sessionPrefix) ? topic.slice(sessionPrefix.length) : null;
}

/** The state after a frame; `unreadable` when a snapshot has a shape that this window does not know. */
export function applyFrame<State extends Followed>(state: State, frame: ServerFrame): State | 'unreadable' {
  if (!('topic' in frame) || frame.topic === undefined) return state;
  const session = sessionOfTopic(frame.topic);
  return session === null ? applyToHome(state, frame) : applyToSession(state, session, frame);
}

function applyToHome<State extends Followed>(state: State, frame: ServerFrame): State | 'unreadable' {
  if (frame.type === 'snapshot') {
    const read = homeViewSchema.safeParse(frame.view);
    return read.success ? { ...state, home: openHome(read.data) } : 'unreadable';
  }
  if (frame.type !== 'change' || state.home === null) return state;
  return { ...state, home: reduceHome(state.home, frame.change) };
}

function applyToSession<State extends Followed>(
  state: State,
  session: string,
  frame: ServerFrame,
): State | 'unreadable' {
  const known = state.pages[session];
  if (frame.type === 'snapshot') {
    const read = sessionSnapshotSchema.safeParse(frame.view);
    if (!read.success) return 'unreadable';
    return withPage(state, session, joinSnapshot(known, read.data, frame.place.seq));
  }
  const change = sessionChange(frame);
  return known === undefined || change === null
    ? state
    : withPage(state, session, reduceSession(known, change));
}

function sessionChange(frame: ServerFrame): SessionChange | null {
  switch (frame.type) {
    case 'event':
    case 'large_event':
    case 'session':
    case 'prompt':
    case 'draft':
    case 'draft_ended':
      return frame;
    default:
      return null;
  }
}

/** A snapshot that touches what is loaded keeps it, so that a long absence does not throw older pages away. */
function joinSnapshot(
  known: SessionPageView | undefined,
  snapshot: SessionSnapshot,
  seq: number,
): SessionPageView {
  const first = snapshot.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const newest = known?.events.at(-1)?.seq ?? 0;
  if (known === undefined || first > newest + 1) return openSession(snapshot, seq);
  const { session, prompts, draft } = openSession(snapshot, seq);
  return addPage({ ...known, session, prompts, draft, draftGap: false, seq }, snapshot.events);
}

/** Puts a page in its place, and lets go of unsent messages that came back as events (echoes are shown once). */
export function withPage<State extends Followed>(
  state: State,
  session: string,
  page: SessionPageView,
): State {
  const unsent = state.unsent.filter((message) => !hasCome(message, session, page));
  const pages = { ...state.pages, [session]: page };
  return unsent.length === state.unsent.length ? { ...state, pages } : { ...state, pages, unsent };
}

function hasCome({ session, uuid }: UnsentMessage, of: string, { items }: SessionPageView): boolean {
  return session === of && items.some((item) => item.kind === 'message_in' && item.message === uuid);
}
