import type { Origin } from '../../../../shared/domain/origin-route.ts';
import type { SettledBy, WakeKind } from '../../../../shared/domain/wakes.ts';
import type { RuleRow, SessionRow, WakeRow } from '../rows.ts';
import { dueInstant } from './due-time.ts';

/** What began the open turn; `byOwner` when it took a direct message of the owner (runs also while paused). */
export interface TurnFacts {
  readonly cause: WakeKind;
  readonly origin: Origin;
  readonly byOwner: boolean;
}

/** A session with what only the store needs, so that nothing has to scan. */
export interface SessionRecord extends SessionRow {
  /** From when it may run under the present pauses, as `storedDue` keeps it; null when nothing lets it run. */
  readonly runAt: number | null;
  readonly inTurn: boolean;
  /** Pending wakes with text, due or not. */
  readonly pendingTexts: number;
  readonly openPrompts: number;
  readonly sleepingUntil: number | null;
  readonly turnFacts: TurnFacts | null;
  /** Seq of the open step's `step.replied`. */
  readonly replySeq: number | null;
  /** An open approval of a call is decided anew: `wanted` since something changed, `told` since its runner was asked to; null: no. */
  readonly decideAnew: 'wanted' | 'told' | null;
}

/** A wake with what it is found by. `direct`: an owner's direct message. `availableAt` as `storedDue` keeps it. */
export interface WakeRecord extends WakeRow {
  readonly text: boolean;
  readonly direct: boolean;
  readonly settledBy: SettledBy | null;
}

/** An event as stored; `id` is its row number. */
export interface EventRecord {
  readonly id: number;
  readonly session: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly v: number;
  readonly origin: Origin | null;
  readonly body: unknown;
}

/** Where a `message.sent` is, so that a turn's visible messages are found without reading its log. */
export interface SentRecord {
  readonly event: number;
  readonly session: string;
  readonly seq: number;
  readonly turn: string;
  readonly textHash: string;
  readonly routeKeys: readonly string[];
}

/** A stored rule; one of settings has no row, so there is no `base`. */
export interface RuleRecord extends Omit<RuleRow, 'base' | 'sandboxed'> {
  readonly sandboxed: boolean | null;
}

/** A setting of this installation. */
export interface MetaRecord {
  readonly key: string;
  readonly value: string;
}

/** Spent and reserved per local day; `session` is empty for the sum over all. */
export interface UsageDayRecord {
  readonly day: string;
  readonly session: string;
  readonly tokens: number;
  readonly microUsd: number;
}

/** Who needs a blob. */
export interface BlobRefRecord {
  readonly hash: string;
  readonly owner: string;
}

/** The row as the port shows it. */
export function toSessionRow(record: SessionRecord): SessionRow {
  const { runAt, inTurn, pendingTexts, openPrompts, sleepingUntil, turnFacts, ...most } = record;
  const { replySeq, decideAnew, ...row } = most;
  return row;
}

/** The row as the port shows it. */
export function toRuleRow({ sandboxed, ...row }: RuleRecord): RuleRow {
  return sandboxed === true ? { ...row, sandboxed } : row;
}

/** The row as the port shows it. */
export function toWakeRow(record: WakeRecord): WakeRow {
  const { text, direct, settledBy, availableAt, ...row } = record;
  return { ...row, availableAt: dueInstant(availableAt) };
}
