import type { HomeChange, Place } from '../../../../shared/protocol/bridge.ts';
import type { CommitNotice } from '../../events/port.ts';
import { promptViewOf, sessionSummaryView } from '../session-summary-view.ts';
import { isPaused } from '../http/context.ts';
import { createHomeRing } from './home-ring.ts';
import { type HomeSources, homeSnapshotFrames, readHome, todaysUsage } from './home-snapshot.ts';
import { promptForFrame } from './prompt-frame.ts';
import { frameText, type Viewer } from './viewer.ts';

/** Ids that changed while nobody looked are remembered up to this many; beyond, the next viewer gets a snapshot. */
const maxBehind = 1_000;

/** Topic `home`. Its async methods are run one at a time by the caller (see `Serial`), so numbers and reads never cross. */
export interface HomeTopic {
  /** Notes what a commit changed; true when `flush` has something to do. */
  commit(notice: CommitNotice): boolean;
  /** Notes a change of a session's live facts. */
  touch(session: string): boolean;
  problemsChanged(): void;
  /** Makes changes of what was noted and sends them. Does nothing while nobody is subscribed. */
  flush(): Promise<void>;
  /** Sends what was missed since `from`, or a snapshot; from then on every change. */
  subscribe(viewer: Viewer, from: Place | undefined): Promise<void>;
  leave(viewer: Viewer): void;
}

interface Noted {
  readonly sessions: Set<string>;
  readonly prompts: Set<string>;
  usage: boolean;
  meta: boolean;
  overflow: boolean;
}

const nothing = (): Noted => ({
  sessions: new Set(),
  prompts: new Set(),
  usage: false,
  meta: false,
  overflow: false,
});

/** A topic without viewers; `epoch` is new for every start of the daemon. */
export function createHomeTopic(sources: HomeSources, epoch: string): HomeTopic {
  const ring = createHomeRing(epoch);
  const viewers = new Set<Viewer>();
  let noted = nothing();

  const publish = (change: HomeChange): void => {
    const frame = ring.add(change);
    for (const viewer of viewers) viewer.send(frame);
  };
  const flush = async (): Promise<void> => {
    const taken = noted;
    noted = nothing();
    if (taken.overflow) ring.skip();
    else for (const change of await changesOf(sources, taken)) publish(change);
  };
  const bounded = (): boolean => {
    if (viewers.size > 0) return true;
    if (noted.sessions.size + noted.prompts.size > maxBehind) noted = { ...nothing(), overflow: true };
    return false;
  };
  return {
    commit(notice) {
      if (!noted.overflow || viewers.size > 0) note(noted, notice);
      return bounded();
    },
    touch(session) {
      noted.sessions.add(session);
      return bounded();
    },
    problemsChanged() {
      publish({ type: 'problems', problems: [...sources.live.problems()] });
    },
    flush: async () => (viewers.size > 0 ? flush() : undefined),
    async subscribe(viewer, from) {
      await flush();
      const missed = from === undefined ? null : ring.after(from);
      // What changes during the read is noted, or published at once, and follows with numbers after this place.
      const place = ring.place;
      const frames =
        missed === null
          ? homeSnapshotFrames(await readHome(sources), place)
          : [frameText({ type: 'resumed', topic: 'home', place: from ?? place }), ...missed];
      if (viewer.gone) return;
      if (missed === null) frames.push(...(ring.after(place) ?? []));
      viewers.add(viewer);
      for (const frame of frames) viewer.send(frame);
    },
    leave: (viewer) => void viewers.delete(viewer),
  };
}

function note(noted: Noted, { sessions, prompts, events, meta }: CommitNotice): void {
  for (const id of sessions) noted.sessions.add(id);
  for (const id of prompts) noted.prompts.add(id);
  noted.usage ||= events.some(({ type }) => type === 'step.began' || type === 'step.replied');
  noted.meta ||= meta;
}

async function changesOf(sources: HomeSources, noted: Noted): Promise<HomeChange[]> {
  const { store } = sources;
  const changes: HomeChange[] = await sessionChanges(sources, [...noted.sessions]);
  for (const id of noted.prompts) {
    const row = await store.prompt(id);
    if (row !== null) changes.push({ type: 'prompt', prompt: promptForFrame(promptViewOf(row)) });
  }
  if (noted.usage || noted.meta) changes.push({ type: 'usage', ...(await todaysUsage(sources)) });
  if (noted.meta) changes.push({ type: 'paused', paused: await isPaused(store) });
  return changes;
}

async function sessionChanges({ store, live }: HomeSources, ids: readonly string[]): Promise<HomeChange[]> {
  if (ids.length === 0) return [];
  const summaries = await store.summaries({ ids });
  const found = new Map(summaries.map((summary) => [summary.session.id, summary]));
  return ids.map((id) => {
    const summary = found.get(id);
    if (summary === undefined || summary.session.archivedAt !== null) return { type: 'session_gone', id };
    return { type: 'session', session: sessionSummaryView(summary, live.live(id)) };
  });
}
