import { assertNever } from '../../../../shared/base/assert-never.ts';
import { isObject } from '../../../../shared/base/json.ts';
import {
  type BudgetLimits,
  type BudgetName,
  type BudgetRefusal,
  budgetRefusal,
  raiseCommand,
  type Reservation,
} from '../../../../shared/domain/budget.ts';
import type { BudgetRaise, BudgetState, Raised } from '../usage-port.ts';
import type { SessionRow } from '../rows.ts';
import { meta, sessions } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';
import { localDay, nextMidnight } from './local-days.ts';
import { setMeta } from './pauses.ts';
import { badInput } from './rejections.ts';
import type { SessionDraft } from './session-draft.ts';
import { parkDraft, unparkDraft } from './sessions.ts';
import { everyDay, spentOn } from './spent.ts';
import type { Tx } from './tx.ts';

/** What people raised limits by. Those of the day and of tokens hold for `day` only. */
interface Raises {
  readonly day: string;
  readonly dayMicroUsd: number;
  /** By session. */
  readonly tokens: Readonly<Record<string, number>>;
  readonly totalMicroUsd: number;
}

const raisesKey = 'budget_raises';
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

function raisesOf(rows: RowStore, now: number): Raises {
  const stored: unknown = JSON.parse(rows.get(meta, raisesKey)?.value ?? '{}');
  const { day, dayMicroUsd, tokens, totalMicroUsd } = isObject(stored) ? stored : {};
  const today = localDay(now);
  const isToday = day === today;
  const bySession = isToday && isObject(tokens) ? tokens : {};
  return {
    day: today,
    dayMicroUsd: isToday ? count(dayMicroUsd) : 0,
    tokens: Object.fromEntries(Object.entries(bySession).map(([session, by]) => [session, count(by)])),
    totalMicroUsd: count(totalMicroUsd),
  };
}

const plus = (limit: number | null | undefined, by: number): number | null =>
  limit === null || limit === undefined ? null : limit + by;

/** The settings' limits as raised, for one session. */
function limitsFor(rows: RowStore, now: number, session: SessionRow, limits: BudgetLimits): BudgetLimits {
  const raises = raisesOf(rows, now);
  return {
    dayMicroUsd: plus(limits.dayMicroUsd, raises.dayMicroUsd),
    sessionDayTokens: plus(limits.sessionDayTokens, raises.tokens[session.id] ?? 0),
    sessionMicroUsd: session.budget?.microUsd ?? limits.sessionMicroUsd ?? null,
    totalMicroUsd: plus(limits.totalMicroUsd, raises.totalMicroUsd),
  };
}

/** Why a request may not be made now, or null. */
export function overBudget(
  tx: Tx,
  session: SessionRow,
  limits: BudgetLimits,
  wanted: Reservation,
): BudgetRefusal | null {
  if (wanted.tokens === 0 && wanted.microUsd === 0) return null;
  const { rows } = tx;
  const day = localDay(tx.now);
  const spent = {
    dayMicroUsd: spentOn(rows, day).microUsd,
    sessionDayTokens: spentOn(rows, day, session.id).tokens,
    sessionMicroUsd: spentOn(rows, everyDay, session.id).microUsd,
    totalMicroUsd: spentOn(rows, everyDay).microUsd,
  };
  return budgetRefusal(limitsFor(rows, tx.now, session, limits), spent, wanted);
}

const untilMidnight: ReadonlySet<BudgetName> = new Set(['day', 'tokens']);

/** Stops the session until the limit is raised or its day is over; gives the reason that the person reads. */
export function parkForBudget(tx: Tx, draft: SessionDraft, refusal: BudgetRefusal): string {
  const { limit } = refusal;
  const waits = untilMidnight.has(limit)
    ? ' It goes on by itself at midnight, or now with'
    : ' Let it go on with';
  const reason = `${refusal.reason}${waits}: ${raiseCommand(refusal, draft.row.name ?? draft.id)}`;
  const until = untilMidnight.has(limit) ? { until: nextMidnight(tx.now) } : {};
  parkDraft(tx, draft, 'budget', reason, { limit, ...until });
  return reason;
}

/** Takes a session up that was parked until now; true when it is (still) parked. */
export function staysParked(tx: Tx, draft: SessionDraft): boolean {
  const { parked } = draft.row;
  if (!parked) return false;
  if (parked.until === undefined || parked.until > tx.now) return true;
  unparkDraft(tx, draft);
  return false;
}

/** Raises a limit and takes up the sessions that it had stopped. */
export function raiseBudget(tx: Tx, { limit, session, by, most, uuid }: BudgetRaise): Raised {
  const made = raisesMade(tx.rows);
  const earlier = uuid === undefined ? undefined : made.find((each) => each.uuid === uuid);
  if (earlier) return { most: earlier.most, unparked: earlier.unparked };
  const own = session === null ? null : tx.session(session);
  const raised = plus(raise(tx, limit, own, { by, most }), by);
  if (raised === null) throw badInput('There is no such limit to raise.');
  const done = { most: raised, unparked: takeUp(tx, limit, own?.id ?? null) };
  if (uuid !== undefined)
    setMeta(tx, madeKey, JSON.stringify([...made, { uuid, ...done }].slice(-mostRemembered)));
  return done;
}

interface MadeRaise extends Raised {
  readonly uuid: string;
}

const madeKey = 'budget_raises_made';
/** An answer that was lost is asked for again within seconds. */
const mostRemembered = 50;

/** What raises with a uuid did, oldest first. */
function raisesMade(rows: RowStore): readonly MadeRaise[] {
  return JSON.parse(rows.get(meta, madeKey)?.value ?? '[]') as readonly MadeRaise[];
}

/** Stores the raise; gives the limit as it was before, null when there is none. */
function raise(
  tx: Tx,
  limit: BudgetName,
  own: SessionDraft | null,
  { by, most }: Pick<BudgetRaise, 'by' | 'most'>,
): number | null {
  const raises = raisesOf(tx.rows, tx.now);
  const keep = (next: Raises): void => setMeta(tx, raisesKey, JSON.stringify(next));
  switch (limit) {
    case 'day':
      keep({ ...raises, dayMicroUsd: raises.dayMicroUsd + by });
      return plus(most, raises.dayMicroUsd);
    case 'total':
      keep({ ...raises, totalMicroUsd: raises.totalMicroUsd + by });
      return plus(most, raises.totalMicroUsd);
    case 'tokens': {
      const before = raises.tokens[own?.id ?? ''] ?? 0;
      keep({ ...raises, tokens: { ...raises.tokens, [own?.id ?? '']: before + by } });
      return plus(most, before);
    }
    case 'session': {
      const before = own?.row.budget?.microUsd ?? most;
      if (before !== null) own?.set({ budget: { microUsd: before + by } });
      return before;
    }
    default:
      return assertNever(limit, 'budget');
  }
}

function takeUp(tx: Tx, limit: BudgetName, session: string | null): string[] {
  const parked = tx.rows
    .find(sessions, { notNull: ['parked'], isNull: ['archivedAt'] })
    .filter((row) => row.parked?.code === 'budget' && row.parked.limit === limit)
    .filter((row) => session === null || row.id === session);
  for (const row of parked) unparkDraft(tx, tx.session(row.id));
  return parked.map((row) => row.id);
}

/** Limits and what counts towards them, over all sessions. */
export function budgetState(rows: RowStore, now: number, limits: BudgetLimits): BudgetState {
  const raises = raisesOf(rows, now);
  const day = localDay(now);
  return {
    day,
    limits: {
      ...limits,
      dayMicroUsd: plus(limits.dayMicroUsd, raises.dayMicroUsd),
      totalMicroUsd: plus(limits.totalMicroUsd, raises.totalMicroUsd),
    },
    spent: {
      dayMicroUsd: spentOn(rows, day).microUsd,
      totalMicroUsd: spentOn(rows, everyDay).microUsd,
    },
  };
}
