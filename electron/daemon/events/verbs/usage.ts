import { budgetRefusal, type Reservation } from '../../../../shared/domain/budget.ts';
import type { Usage } from '../../../../shared/domain/messages.ts';
import type { WakeKind } from '../../../../shared/domain/wakes.ts';
import type { StepTerms } from '../port.ts';
import type { SessionRow } from '../rows.ts';
import { usage, usageDays } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';
import type { Tx } from './tx.ts';

/** The host's local calendar day of a wall time, `YYYY-MM-DD`. */
export function localDay(at: number): string {
  const date = new Date(at);
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Spent and reserved on a day: by one session, or over all with an empty session. */
export function spentOn(rows: RowStore, day: string, session = ''): Reservation {
  const { tokens = 0, microUsd = 0 } = rows.get(usageDays, day, session) ?? {};
  return { tokens, microUsd };
}

/** Why this step may not begin today, or null. */
export function overBudget(tx: Tx, session: string, terms: StepTerms): string | null {
  const day = localDay(tx.now);
  const spent = {
    dayMicroUsd: spentOn(tx.rows, day).microUsd,
    sessionDayTokens: spentOn(tx.rows, day, session).tokens,
  };
  return budgetRefusal(terms.limits, spent, terms.reservation);
}

/** Books the most a step may cost. */
export function reserve(
  tx: Tx,
  session: SessionRow,
  step: string,
  cause: WakeKind,
  reserved: Reservation,
): void {
  const day = localDay(tx.now);
  const { id, model } = session;
  const most = whole(reserved);
  tx.rows.insert(usage, {
    step,
    session: id,
    model,
    cause,
    day,
    reserved: most,
    settled: false,
    ...most,
    purpose: 'step',
    detail: null,
  });
  book(tx, day, id, most);
}

/** Replaces a step's reservation by what it cost; a second time changes nothing. */
export function settle(tx: Tx, step: string, spent: Reservation): void {
  const row = tx.rows.get(usage, step);
  if (!row || row.settled) return;
  tx.rows.update(usage, [step], { settled: true, ...spent });
  book(tx, row.day, row.session, {
    tokens: spent.tokens - row.reserved.tokens,
    microUsd: spent.microUsd - row.reserved.microUsd,
  });
}

/** A step whose reply never came counts as having cost what was reserved. */
export function settleAtReservation(tx: Tx, step: string): void {
  const row = tx.rows.get(usage, step);
  if (row) settle(tx, step, row.reserved);
}

/** All tokens a request was billed for; `inputTokens` does not contain the cached ones. */
export function spentBy(cost: Usage): Reservation {
  const tokens = cost.inputTokens + cost.outputTokens + cost.cacheReadTokens + cost.cacheWriteTokens;
  return whole({ tokens, microUsd: cost.microUsd });
}

/** Money and tokens are kept as whole numbers, rounded up. */
function whole({ tokens, microUsd }: Reservation): Reservation {
  return { tokens: Math.ceil(tokens), microUsd: Math.ceil(microUsd) };
}

function book(tx: Tx, day: string, session: string, change: Reservation): void {
  for (const owner of ['', session]) {
    const sum = tx.rows.get(usageDays, day, owner);
    const tokens = (sum?.tokens ?? 0) + change.tokens;
    const microUsd = (sum?.microUsd ?? 0) + change.microUsd;
    if (sum) tx.rows.update(usageDays, [day, owner], { tokens, microUsd });
    else tx.rows.insert(usageDays, { day, session: owner, tokens, microUsd });
  }
}
