import type { Clock, Ids, Log } from '../../../../shared/base/ports.ts';
import { errorMessage } from '../../../../shared/base/errors.ts';
import type { StoredEvent } from '../../../../shared/domain/events.ts';
import type { HomeView, Place } from '../../../../shared/protocol/bridge.ts';
import type { CommitNotice, Store } from '../../events/port.ts';
import type { DaemonFacts } from '../http/context.ts';
import type { LiveSource } from '../ports.ts';
import { promptViewOf } from '../session-summary-view.ts';
import { createCoalescer } from './coalesce.ts';
import { readHome } from './home-snapshot.ts';
import { createHomeTopic } from './home-topic.ts';
import { createSerial } from './serial.ts';
import { readSession, topicOf } from './session-snapshot.ts';
import { createSessionTopic, type SessionTopic } from './session-topic.ts';
import type { Viewer } from './viewer.ts';

/** Lists are made anew at most this often; events of an open session are not held back. */
const flushSpacingMs = 15;

/** What became of a wish to subscribe. */
export type Subscribed = 'ok' | 'unknown_topic';

/** All topics: listens to commits and live facts, computes views only for topics that somebody looks at. */
export interface Topics {
  subscribe(topic: string, viewer: Viewer, from: Place | undefined): Promise<Subscribed>;
  leave(topic: string, viewer: Viewer): void;
  homeView(): Promise<HomeView>;
  close(): void;
}

export interface TopicsOptions {
  readonly store: Store;
  readonly live: LiveSource;
  readonly facts: DaemonFacts;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'random'>;
  readonly log: Log;
}

/** Starts listening; `close` ends it. */
export function createTopics(options: TopicsOptions): Topics {
  const { store, live, clock, log } = options;
  const serial = createSerial();
  const home = createHomeTopic(options, options.ids.random(8));
  const sessions = new Map<string, SessionTopic>();
  const changed = { sessions: new Set<string>(), prompts: new Set<string>() };

  const flushSessions = async (): Promise<void> => {
    const [ids, prompts] = [[...changed.sessions], [...changed.prompts]];
    changed.sessions.clear();
    changed.prompts.clear();
    for (const id of ids) {
      const view = sessions.has(id) ? await readSession(options, id) : null;
      if (view !== null) sessions.get(id)?.session(view);
    }
    for (const id of prompts) {
      const row = await store.prompt(id);
      if (row !== null) sessions.get(row.session)?.prompt(promptViewOf(row));
    }
  };
  const flush = createCoalescer(clock, flushSpacingMs, () =>
    serial(async () => {
      await flushSessions();
      await home.flush();
    }).catch((error: unknown) => log.error({ reason: errorMessage(error) }, 'views could not be read')),
  );
  const touch = (session: string): void => {
    const watched = sessions.has(session);
    if (watched) changed.sessions.add(session);
    if (home.touch(session) || watched) flush.ask();
  };
  const onCommit = (notice: CommitNotice): void => {
    for (const [id, events] of bySession(notice.events, sessions)) sessions.get(id)?.commit(events);
    for (const id of notice.sessions) if (sessions.has(id)) changed.sessions.add(id);
    if (sessions.size > 0) for (const id of notice.prompts) changed.prompts.add(id);
    const wanted = home.commit(notice);
    if (wanted || changed.sessions.size > 0 || changed.prompts.size > 0) flush.ask();
  };
  const stops = [
    store.onCommit(onCommit),
    live.onLive(touch),
    live.onDraft((piece) => sessions.get(piece.session)?.draft(piece)),
    live.onProblems(() => home.problemsChanged()),
  ];
  const leaveSession = (id: string, viewer: Viewer): void => {
    const topic = sessions.get(id);
    topic?.leave(viewer);
    if (topic?.viewers === 0) sessions.delete(id);
  };
  const subscribeSession = async (
    id: string,
    viewer: Viewer,
    from: Place | undefined,
  ): Promise<Subscribed> => {
    if (viewer.gone) return 'ok';
    const topic = sessions.get(id) ?? createSessionTopic(clock, options, id);
    sessions.set(id, topic);
    try {
      return (await topic.subscribe(viewer, from)) ? 'ok' : 'unknown_topic';
    } finally {
      if (topic.viewers === 0) sessions.delete(id);
    }
  };
  return {
    subscribe(topic, viewer, from) {
      if (topic === 'home') return serial(() => home.subscribe(viewer, from).then(() => 'ok' as const));
      const id = topic.startsWith('session:') ? topic.slice('session:'.length) : '';
      if (id === '') return Promise.resolve('unknown_topic');
      return serial(() => subscribeSession(id, viewer, from));
    },
    leave(topic, viewer) {
      if (topic === 'home') home.leave(viewer);
      else leaveSession(topic.slice(topicOf('').length), viewer);
    },
    homeView: () => readHome(options),
    close() {
      for (const stop of stops) stop();
      flush.stop();
    },
  };
}

/** The events of sessions that somebody looks at, in order, by session. */
function bySession(
  events: readonly StoredEvent[],
  wanted: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, StoredEvent[]> {
  const groups = new Map<string, StoredEvent[]>();
  if (wanted.size === 0) return groups;
  for (const event of events) {
    if (!wanted.has(event.session)) continue;
    const group = groups.get(event.session);
    if (group === undefined) groups.set(event.session, [event]);
    else group.push(event);
  }
  return groups;
}
