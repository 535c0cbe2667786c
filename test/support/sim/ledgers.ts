import type { ContextMessage } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { AnsweredBy, Verdict } from '../../../shared/domain/prompts.ts';
import type { VerdictAnswer } from '../../../shared/protocol/bridge.ts';
import type { PlatformName } from './plan.ts';

/** A tool that ran in a worker. `effects` counts what it did to the world. */
export interface Execution {
  readonly session: string;
  readonly call: string;
  readonly facts: CallFacts;
  readonly worker: string;
  readonly daemon: string;
  /** Id of the newest event that was known to be stored when it began. */
  readonly lastEvent: number;
  effects: number;
}

/** A message that arrived on a platform, as its users see it. */
export interface Arrival {
  readonly platform: PlatformName;
  readonly chat: string;
  readonly effect: string;
  readonly key: string;
  readonly text: string;
  readonly id: string;
}

/** A request that a model got. */
export interface Request {
  readonly session: string;
  readonly step: string;
  readonly repeated: boolean;
  readonly need: 'turn' | 'all';
  /** Tokens that a request may have, where messages are cut to fit; null: nothing is cut. */
  readonly room: number | null;
  /** Id of the newest event that was known to be stored when it was made. */
  readonly lastEvent: number;
  readonly frame: string;
  readonly messages: readonly ContextMessage[];
}

/** A message that somebody wrote. `answer` says what the sender was told; null when nobody answered (a crash). */
export interface Written {
  readonly kind: 'person' | 'channel' | 'schedule' | 'webhook' | 'teammate';
  readonly message: string;
  readonly dedupeKey: string;
  readonly session: string;
  readonly text: string;
  readonly owner: boolean;
  readonly routeKey: string;
  readonly tries: { answer: 'stored' | 'refused' | null; code: string; session: string | null }[];
}

/** A verdict that somebody gave. */
export interface Given {
  readonly prompt: string;
  readonly code: string;
  readonly verdict: Verdict;
  readonly by: AnsweredBy;
  readonly owner: boolean;
  answer: VerdictAnswer | 'failed' | null;
}

/** A pause of everything, as the owner saw it: in force between these event ids. */
export interface PauseAll {
  readonly from: number;
  until: number | null;
}

/** A background task that was started; `ended`: how, once it came to its end by itself or its worker ended it. */
export interface StartedTask {
  readonly session: string;
  readonly task: string;
  readonly lastEvent: number;
  ended: 'exited' | 'interrupted' | 'lost' | null;
}

/** A request that a model with a price answered, or wrote a text for. */
export interface Bill {
  readonly session: string;
  readonly purpose: 'step' | 'side';
  readonly tokens: number;
  readonly microUsd: number;
}

/** A limit that somebody wanted raised, for one session or (null) all: the local days on which it was asked for and acknowledged. */
export interface Raise {
  readonly limit: 'day' | 'tokens';
  readonly session: string | null;
  readonly asked: string;
  done: string | null;
  readonly by: number;
}

/** What happened outside of the store; survives every crash. The oracle reads this and the log, nothing else. */
export class Ledgers {
  readonly executions: Execution[] = [];
  readonly arrivals: Arrival[] = [];
  readonly requests: Request[] = [];
  readonly tasks: StartedTask[] = [];
  readonly bills: Bill[] = [];
  readonly raises: Raise[] = [];
  readonly written: Written[] = [];
  /** Rules that somebody took back. */
  readonly revoked = new Set<string>();
  /** How often a person was told that the running turn of a session was ended, by session id. */
  readonly interrupts = new Map<string, number>();
  /** Sessions that a person wanted to interrupt, whatever came of it. */
  readonly interruptsTried = new Set<string>();
  hangs = 0;
  diskWasFull = false;
  readonly given: Given[] = [];
  readonly pauses: PauseAll[] = [];
  pauseOrders = 0;
  /** Errors that no correct daemon logs or throws. */
  readonly alarms: string[] = [];
  /** Prompts a surface showed: how often it was told of their end, in which daemon. */
  readonly shown = new Map<string, { text: string; whole: boolean; offered: string[]; told: string[] }>();
  readonly crashes = { daemon: 0, worker: 0, perPlace: new Map<string, number>() };
  modelFailures = 0;
  /** Id of the newest event that any daemon announced. */
  lastEvent = 0;
  restarts = 0;
}
