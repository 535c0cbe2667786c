import type { Clock } from '../../../../shared/base/ports.ts';
import type { StoredEvent } from '../../../../shared/domain/events.ts';
import type { Place } from '../../../../shared/protocol/bridge.ts';
import type { CommitNotice } from '../../events/port.ts';
import type { DraftPiece } from '../../../../shared/session/live.ts';
import { promptViewOf } from '../session-summary-view.ts';
import { readSession, type SessionSources } from './session-snapshot.ts';
import { createSessionTopic, type SessionTopic } from './session-topic.ts';
import type { Viewer } from './viewer.ts';

/** The topics of all sessions that somebody looks at. Async methods are run one at a time by the caller. */
export interface SessionTopics {
  /** Sends events at once and notes which views changed; true when `flush` has something to do. */
  commit(notice: CommitNotice): boolean;
  /** Notes a change of a session's live facts. */
  touch(session: string): boolean;
  draft(piece: DraftPiece): void;
  /** Reads anew what was noted and sends it. */
  flush(): Promise<void>;
  /** False when there is no such session. */
  subscribe(id: string, viewer: Viewer, from: Place | undefined): Promise<boolean>;
  leave(id: string, viewer: Viewer): void;
}

/** No topics yet; each exists as long as it has viewers. */
export function createSessionTopics(clock: Clock, sources: SessionSources): SessionTopics {
  const topics = new Map<string, SessionTopic>();
  const changed = { sessions: new Set<string>(), prompts: new Set<string>() };
  const noted = (): boolean => changed.sessions.size > 0 || changed.prompts.size > 0;
  const dropEmpty = (id: string): void => {
    if (topics.get(id)?.viewers === 0) topics.delete(id);
  };
  return {
    commit(notice) {
      if (topics.size === 0) return false;
      for (const [id, events] of bySession(notice.events, topics)) topics.get(id)?.commit(events);
      for (const id of notice.sessions) if (topics.has(id)) changed.sessions.add(id);
      for (const id of notice.prompts) changed.prompts.add(id);
      return noted();
    },
    touch(session) {
      if (topics.has(session)) changed.sessions.add(session);
      return noted();
    },
    draft: (piece) => topics.get(piece.session)?.draft(piece),
    async flush() {
      const [ids, prompts] = [[...changed.sessions], [...changed.prompts]];
      changed.sessions.clear();
      changed.prompts.clear();
      for (const id of ids) {
        const view = topics.has(id) ? await readSession(sources, id) : null;
        if (view !== null) topics.get(id)?.session(view);
      }
      for (const id of prompts) {
        const row = await sources.store.prompt(id);
        if (row !== null) topics.get(row.session)?.prompt(promptViewOf(row));
      }
    },
    async subscribe(id, viewer, from) {
      if (viewer.gone) return true;
      const topic = topics.get(id) ?? createSessionTopic(clock, sources, id);
      topics.set(id, topic);
      try {
        return await topic.subscribe(viewer, from);
      } finally {
        dropEmpty(id);
      }
    },
    leave(id, viewer) {
      topics.get(id)?.leave(viewer);
      dropEmpty(id);
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
