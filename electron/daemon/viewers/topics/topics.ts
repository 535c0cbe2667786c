import type { Clock, Ids, Log } from '../../../../shared/base/ports.ts';
import { errorMessage } from '../../../../shared/base/errors.ts';
import type { HomeView, Place } from '../../../../shared/protocol/bridge.ts';
import type { Store } from '../../events/port.ts';
import type { DaemonFacts } from '../http/context.ts';
import type { LiveSource } from '../ports.ts';
import { createCoalescer } from './coalesce.ts';
import { readHome } from './home-snapshot.ts';
import { createHomeTopic } from './home-topic.ts';
import { createSerial } from './serial.ts';
import { topicOf } from './session-snapshot.ts';
import { createSessionTopics } from './session-topics.ts';
import type { Viewer } from './viewer.ts';

/** Lists are made anew at most this often; events of an open session are not held back. */
const flushSpacingMs = 15;

/** What became of a wish to subscribe. */
export type Subscribed = 'ok' | 'unknown_topic' | 'safe_mode';

/** All topics: listens to commits and live facts, computes views only for topics that somebody looks at. */
export interface Topics {
  subscribe(topic: string, viewer: Viewer, from: Place | undefined): Promise<Subscribed>;
  leave(topic: string, viewer: Viewer): void;
  homeView(): Promise<HomeView>;
  close(): void;
}

/** What the topics are made of. */
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
  // Snapshots and flushes one after the other: numbers and reads of different topics never cross.
  const serial = createSerial();
  const home = createHomeTopic(options, options.ids.random(8));
  const sessions = createSessionTopics(clock, options);
  const flush = createCoalescer(clock, flushSpacingMs, () =>
    serial(async () => {
      await sessions.flush();
      await home.flush();
    }).catch((error: unknown) => log.error({ reason: errorMessage(error) }, 'views could not be read')),
  );
  // Both are told first: each notes what it needs.
  const askFor = (...wanted: readonly boolean[]): void => (wanted.includes(true) ? flush.ask() : undefined);
  const stops = [
    store.onCommit((notice) => askFor(sessions.commit(notice), home.commit(notice))),
    live.onLive((session) => askFor(sessions.touch(session), home.touch(session))),
    live.onDraft((piece) => sessions.draft(piece)),
    live.onProblems(() => home.problemsChanged()),
  ];
  return {
    subscribe(topic, viewer, from) {
      // Who asked again or left while others were served gets nothing, so nothing is read.
      const unlessGone = (read: () => Promise<Subscribed>): Promise<Subscribed> =>
        serial(async () => (viewer.gone ? 'ok' : read()));
      if (topic === 'home') return unlessGone(() => home.subscribe(viewer, from).then(() => 'ok' as const));
      const id = sessionOf(topic);
      if (id === null) return Promise.resolve('unknown_topic');
      if (options.facts.safe !== null) return Promise.resolve('safe_mode');
      return unlessGone(async () => ((await sessions.subscribe(id, viewer, from)) ? 'ok' : 'unknown_topic'));
    },
    leave(topic, viewer) {
      if (topic === 'home') home.leave(viewer);
      else sessions.leave(sessionOf(topic) ?? '', viewer);
    },
    homeView: () => readHome(options),
    close() {
      for (const stop of stops) stop();
      flush.stop();
    },
  };
}

function sessionOf(topic: string): string | null {
  const prefix = topicOf('');
  return topic.startsWith(prefix) && topic.length > prefix.length ? topic.slice(prefix.length) : null;
}
