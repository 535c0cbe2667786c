import type { StoredEvent } from '../../../../shared/domain/events.ts';
import type { PromptView } from '../../../../shared/domain/prompts.ts';
import { type Draft, limits, type Place, type SessionView } from '../../../../shared/protocol/bridge.ts';
import type { Store } from '../../events/port.ts';
import type { LiveSource } from '../ports.ts';
import { promptViewOf, sessionSummaryView } from '../session-summary-view.ts';
import { wholeDraftFrames } from './draft-sender.ts';
import { promptForFrame } from './prompt-frame.ts';
import { fitsFrame, frameText } from './viewer.ts';

/** Events that a viewer may have missed and still resume, and their characters in all: more is a snapshot. */
const maxMissed = 1_000;
const maxMissedChars = 1024 * 1024;
/** Bytes of each in a snapshot; together with the session they stay below the frame's limit. */
const eventBytes = 150 * 1024;
const promptBytes = 40 * 1024;
const draftBytes = 40 * 1024;

/** What a session topic is read from. */
export interface SessionSources {
  readonly store: Store;
  readonly live: LiveSource;
}

/** A session as it is now, apart from its events; null when there is none. */
export async function readSession({ store, live }: SessionSources, id: string): Promise<SessionView | null> {
  const [summary] = await store.summaries({ ids: [id] });
  return summary === undefined ? null : sessionSummaryView(summary, live.live(id));
}

/** Open prompts of a session, oldest first. */
export async function openPrompts({ store }: SessionSources, session: string): Promise<PromptView[]> {
  const rows = await store.prompts({ state: 'open', session, limit: limits.page });
  return rows.map((row) => promptForFrame(promptViewOf(row)));
}

/** The frame of an event, or of its number alone where the event is larger than a frame. */
export function eventFrame(topic: string, event: StoredEvent): string {
  const place = { epoch: '', seq: event.seq };
  const frame = frameText({ type: 'event', topic, place, event });
  return fitsFrame(frame) ? frame : frameText({ type: 'large_event', topic, place });
}

/** The frames of the events after `from`; null when they are too many and a snapshot is cheaper. */
export async function missedFrames(
  sources: SessionSources,
  session: SessionView,
  from: Place,
): Promise<{ frames: string[]; events: readonly StoredEvent[] } | null> {
  const missed = session.seq - from.seq;
  if (from.epoch !== '' || missed < 0 || missed > maxMissed) return null;
  if (missed === 0) return { frames: [], events: [] };
  const events = await sources.store.events(session.id, { after: from.seq, limit: maxMissed });
  const frames: string[] = [];
  let chars = 0;
  for (const event of events) {
    const frame = eventFrame(topicOf(session.id), event);
    chars += frame.length;
    if (chars > maxMissedChars) return null;
    frames.push(frame);
  }
  return { frames, events };
}

/** The name of a session's topic. */
export function topicOf(session: string): string {
  return `session:${session}`;
}

/** A snapshot's frames at the newest event read: one for session and events, then what had no room in it. */
export async function sessionSnapshot(
  sources: SessionSources,
  session: SessionView,
): Promise<{ seq: number; frames: (draft: Draft | null) => string[] }> {
  const page = await sources.store.events(session.id, { limit: limits.page });
  const prompts = await openPrompts(sources, session.id);
  const seq = page[0]?.seq ?? 0;
  const events = page.slice(0, fitting(page, eventBytes)).toReversed();
  const older = (events[0]?.seq ?? seq + 1) > 1;
  const inside = fitting(prompts, promptBytes);
  const topic = topicOf(session.id);
  return {
    seq,
    frames(draft) {
      const small = fitting([draft], draftBytes) > 0;
      const view = { session, events, older, prompts: prompts.slice(0, inside), draft: small ? draft : null };
      return [
        frameText({ type: 'snapshot', topic, place: { epoch: '', seq }, view }),
        ...prompts.slice(inside).map((prompt) => frameText({ type: 'prompt', topic, prompt })),
        ...(small ? [] : wholeDraftFrames(topic, draft)),
      ];
    },
  };
}

/** How many of the rows, from the first, have together at most `bytes` bytes as JSON. */
function fitting(rows: readonly unknown[], bytes: number): number {
  let room = bytes;
  const end = rows.findIndex((row) => {
    room -= Buffer.byteLength(JSON.stringify(row));
    return room < 0;
  });
  return end < 0 ? rows.length : end;
}
