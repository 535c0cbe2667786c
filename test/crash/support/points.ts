import {
  type Boundary,
  daemonBoundaries,
  supervisorBoundaries,
  workerBoundaries,
} from '../../../shared/domain/boundaries.ts';
import { actsConversation } from './acts-conversation.ts';
import { type CrashPoint, play, type ScenarioOutcome } from './stage.ts';
import { talkConversation } from './talk-conversation.ts';
import { workConversation } from './work-conversation.ts';

const byRole = {
  worker: workerBoundaries,
  daemon: daemonBoundaries,
  supervisor: supervisorBoundaries,
} as const;

/** Those that only a conversation with a model passes, or acts of a person do; every other one is passed by talking. */
const elsewhere: Partial<Record<Boundary, ConversationName>> = {
  'commit.failTurn': 'work',
  'commit.park': 'work',
  'commit.unpark': 'work',
  'commit.compact': 'work',
  'commit.memo': 'work',
  'commit.noteContext': 'work',
  'commit.beginSide': 'work',
  'commit.endSide': 'work',
  'commit.raiseBudget': 'work',
  'commit.beginTask': 'work',
  'commit.endTask': 'work',
  'commit.askTrust': 'acts',
  'commit.workerLost': 'acts',
  'commit.sessionAct': 'acts',
  'commit.changeRule': 'acts',
  'commit.changeDevice': 'acts',
  'commit.setMeta': 'acts',
  'parcel.written': 'acts',
  'settings.write': 'acts',
};

/** The same commit as a raise, and words that are only read: the long form goes through them. */
const rare: ReadonlySet<Boundary> = new Set(['commit.unpark', 'commit.noteContext']);

const conversations = {
  talk: async () => talkConversation(),
  work: workConversation,
  acts: async () => actsConversation(),
};
/** The conversations there are. */
export type ConversationName = keyof typeof conversations;
export const conversationNames = Object.keys(conversations) as ConversationName[];

/** Every named boundary, before and after, in the process that it belongs to, at its nth passing. */
export function crashPoints(nth: number): readonly CrashPoint[] {
  return (['worker', 'daemon', 'supervisor'] as const).flatMap((role) =>
    byRole[role].flatMap((name) => (['before', 'after'] as const).map((side) => ({ role, name, side, nth }))),
  );
}

/** Those of `npm test`. */
export function commonPoints(): readonly CrashPoint[] {
  return crashPoints(1).filter(({ name }) => !rare.has(name));
}

/** The conversation that passes this point for certain. */
export function conversationOf({ name }: CrashPoint): ConversationName {
  return elsewhere[name] ?? 'talk';
}

/** Dies at the point in a conversation and judges what came of it. */
export async function runAt(
  point: CrashPoint,
  name: ConversationName = conversationOf(point),
): Promise<ScenarioOutcome> {
  return play(point, await conversations[name]());
}

/** The name of a point as KAIROS_CRASH spells it. */
export function pointName({ role, name, side, nth }: CrashPoint): string {
  return `${role}:${name}:${side}:${nth}`;
}
