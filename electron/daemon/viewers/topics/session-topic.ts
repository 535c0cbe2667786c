import type { StoredEvent } from '../../../../shared/domain/events.ts';
import type { PromptView } from '../../../../shared/domain/prompts.ts';
import type { Clock } from '../../../../shared/base/ports.ts';
import type { Place, SessionView } from '../../../../shared/protocol/bridge.ts';
import type { DraftPiece } from '../../../../shared/session/live.ts';
import { promptViewOf } from '../session-summary-view.ts';
import { createDraftSender, wholeDraftFrames } from './draft-sender.ts';
import { promptForFrame } from './prompt-frame.ts';
import {
  eventFrame,
  missedFrames,
  openPrompts,
  readSession,
  type SessionSources,
  sessionSnapshot,
  topicOf,
} from './session-snapshot.ts';
import { frameText, type Viewer } from './viewer.ts';

/** Topic `session:<id>` while somebody looks. Events go out as they are committed; async methods are run one at a time. */
export interface SessionTopic {
  readonly viewers: number;
  commit(events: readonly StoredEvent[]): void;
  /** The session's view was read anew. */
  session(view: SessionView): void;
  prompt(prompt: PromptView): void;
  draft(piece: DraftPiece): void;
  /** Sends what was missed since `from`, or a snapshot; false when there is no such session. */
  subscribe(viewer: Viewer, from: Place | undefined): Promise<boolean>;
  leave(viewer: Viewer): void;
}

/** A viewer's way through the event numbers. While `waiting` its snapshot is being read and frames are kept for it. */
interface Follower {
  sent: number;
  waiting: { readonly seq: number | null; readonly frame: string }[] | null;
}

/** A topic without viewers. */
export function createSessionTopic(clock: Clock, sources: SessionSources, id: string): SessionTopic {
  const topic = topicOf(id);
  const followers = new Map<Viewer, Follower>();
  const ready = (): Viewer[] =>
    [...followers].flatMap(([viewer, { waiting }]) => (waiting === null ? [viewer] : []));
  const drafts = createDraftSender(clock, { topic, viewers: ready, draft: () => sources.live.draft(id) });

  const give = (seq: number | null, frame: string): void => {
    for (const [viewer, follower] of followers) {
      if (follower.waiting !== null) follower.waiting.push({ seq, frame });
      else deliver(topic, viewer, follower, seq, frame);
    }
  };
  const leave = (viewer: Viewer): void => {
    followers.delete(viewer);
    drafts.forget(viewer);
    if (followers.size === 0) drafts.stop();
  };
  const begin = async (viewer: Viewer, follower: Follower, from: Place | undefined): Promise<boolean> => {
    const session = await readSession(sources, id);
    if (session === null) return false;
    const start = (await resumed(sources, session, from)) ?? (await fresh(sources, session));
    if (viewer.gone) return true;
    for (const frame of start.frames()) viewer.send(frame);
    follower.sent = start.seq;
    const waiting = follower.waiting ?? [];
    follower.waiting = null;
    for (const { seq, frame } of waiting) deliver(topic, viewer, follower, seq, frame);
    return true;
  };
  return {
    get viewers() {
      return followers.size;
    },
    commit(events) {
      for (const event of events) {
        give(event.seq, eventFrame(topic, event));
        if (event.type === 'step.replied' || event.type === 'step.abandoned')
          give(null, drafts.end(event.body.step));
      }
    },
    session: (session) => give(null, frameText({ type: 'session', topic, session })),
    prompt: (prompt) => give(null, frameText({ type: 'prompt', topic, prompt: promptForFrame(prompt) })),
    draft: (piece) => drafts.add(piece),
    async subscribe(viewer, from) {
      const follower: Follower = { sent: 0, waiting: [] };
      followers.set(viewer, follower);
      const found = await begin(viewer, follower, from).catch((error: unknown) => {
        leave(viewer);
        throw error;
      });
      if (!found || viewer.gone) leave(viewer);
      return found;
    },
    leave,
  };
}

/** Events reach a viewer in order and each once, whatever its snapshot contained. */
function deliver(topic: string, viewer: Viewer, follower: Follower, seq: number | null, frame: string): void {
  if (seq === null) return viewer.send(frame);
  if (seq <= follower.sent) return;
  if (seq !== follower.sent + 1) {
    // Cannot happen while commits are told in order; a viewer must rather begin anew than show a hole.
    return viewer.send(frameText({ type: 'resync', topic, reason: 'events are missing' }));
  }
  follower.sent = seq;
  viewer.send(frame);
}

interface Start {
  readonly seq: number;
  readonly frames: () => readonly string[];
}

async function fresh(sources: SessionSources, session: SessionView): Promise<Start> {
  const snapshot = await sessionSnapshot(sources, session);
  return { seq: snapshot.seq, frames: () => snapshot.frames(sources.live.draft(session.id)) };
}

/** What a returning viewer missed: events, the prompts they name and those open, the session, the draft. */
async function resumed(
  sources: SessionSources,
  session: SessionView,
  from: Place | undefined,
): Promise<Start | null> {
  const missed = from === undefined ? null : await missedFrames(sources, session, from);
  if (from === undefined || missed === null) return null;
  const topic = topicOf(session.id);
  const prompts = [
    ...(await namedPrompts(sources, missed.events)),
    ...(await openPrompts(sources, session.id)),
  ];
  const seq = missed.events.at(-1)?.seq ?? from.seq;
  return {
    seq,
    frames: () => [
      frameText({ type: 'resumed', topic, place: from }),
      ...missed.frames,
      frameText({ type: 'session', topic, session }),
      ...prompts.map((prompt) => frameText({ type: 'prompt', topic, prompt })),
      ...wholeDraftFrames(topic, sources.live.draft(session.id)),
    ],
  };
}

async function namedPrompts(
  { store }: SessionSources,
  events: readonly StoredEvent[],
): Promise<PromptView[]> {
  const ids = new Set(events.flatMap((event) => (event.type.startsWith('prompt.') ? [promptOf(event)] : [])));
  const views: PromptView[] = [];
  for (const id of ids) {
    const row = id === null ? null : await store.prompt(id);
    if (row !== null) views.push(promptForFrame(promptViewOf(row)));
  }
  return views;
}

function promptOf(event: StoredEvent): string | null {
  return 'prompt' in event.body && typeof event.body.prompt === 'string' ? event.body.prompt : null;
}
