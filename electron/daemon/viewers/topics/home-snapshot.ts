import { openHome } from '../../../../shared/session/home-view.ts';
import type { HomeChange, HomeView, Place } from '../../../../shared/protocol/bridge.ts';
import type { Store } from '../../events/port.ts';
import { type DaemonFacts, isPaused } from '../http/context.ts';
import type { LiveSource } from '../ports.ts';
import { promptViewOf, sessionSummaryView } from '../session-summary-view.ts';
import { promptForFrame } from './prompt-frame.ts';
import { frameText } from './viewer.ts';

/** Open prompts shown at most; more than that nobody answers one by one. */
const maxPrompts = 1_000;
/** Bytes of sessions, and of prompts, per frame: together below the frame's limit. */
const chunkBytes = 110 * 1024;

/** What the home view is read from. */
export interface HomeSources {
  readonly store: Store;
  readonly live: LiveSource;
  readonly facts: DaemonFacts;
}

/** What today cost so far, and the day's limit as raised. */
export async function todaysUsage({
  store,
  facts,
}: Pick<HomeSources, 'store' | 'facts'>): Promise<HomeView['usage']> {
  const { dayLimitMicroUsd: dayMicroUsd } = facts;
  const { spent, limits } = await store.budgetState({ dayMicroUsd, sessionDayTokens: null });
  return { dayMicroUsd: spent.dayMicroUsd, limitMicroUsd: limits.dayMicroUsd };
}

/** The home view as it is now. */
export async function readHome({ store, live, facts }: HomeSources): Promise<HomeView> {
  const summaries = await store.summaries({ archived: false });
  const prompts = await store.prompts({ state: 'open', limit: maxPrompts });
  const { version, pid, startedAt, safe } = facts;
  return openHome({
    sessions: summaries.map((summary) => sessionSummaryView(summary, live.live(summary.session.id))),
    prompts: prompts.map(promptViewOf),
    problems: [...live.problems()],
    paused: await isPaused(store),
    usage: await todaysUsage({ store, facts }),
    daemon: { version, pid, startedAt, safe },
  });
}

/**
 * The frames of a snapshot at `place`. What does not fit the first frame follows as changes; only the last frame carries
 * the place, so that a viewer which was cut off in between cannot resume from a half snapshot.
 */
export function homeSnapshotFrames(view: HomeView, place: Place): string[] {
  const prompts = chunks(view.prompts.map(promptForFrame));
  const sessions = chunks(view.sessions);
  const rest: HomeChange[] = [
    ...prompts.slice(1).flatMap((chunk) => chunk.map((prompt) => ({ type: 'prompt' as const, prompt }))),
    ...sessions.slice(1).map((chunk) => ({ type: 'sessions' as const, sessions: chunk })),
  ];
  const placeAt = (index: number): Place => (index === rest.length ? place : { epoch: '', seq: 0 });
  const first = { ...view, prompts: prompts[0] ?? [], sessions: sessions[0] ?? [] };
  return [
    frameText({ type: 'snapshot', topic: 'home', place: placeAt(0), view: first }),
    ...rest.map((change, index) =>
      frameText({ type: 'change', topic: 'home', place: placeAt(index + 1), change }),
    ),
  ];
}

function chunks<Row>(rows: readonly Row[]): Row[][] {
  const made: Row[][] = [];
  let room = 0;
  for (const row of rows) {
    const bytes = Buffer.byteLength(JSON.stringify(row));
    if (bytes > room) {
      made.push([]);
      room = chunkBytes;
    }
    room -= bytes;
    made.at(-1)?.push(row);
  }
  return made;
}
