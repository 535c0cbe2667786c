import { noReservation, type Reservation } from '../../../../shared/domain/budget.ts';
import { idPrefix } from '../../../../shared/domain/ids.ts';
import type { Usage } from '../../../../shared/domain/messages.ts';
import type { WakeKind } from '../../../../shared/domain/wakes.ts';
import type { OpenStep } from '../../../../shared/domain/steps.ts';
import type { UsagePurpose, UsageRow } from '../rows.ts';
import { usage, usageDays } from '../rows/tables.ts';
import { localDay } from './local-days.ts';
import { everyDay } from './spent.ts';
import type { Tx } from './tx.ts';

/** A request that is about to be made; `id`: its step, or its own where it is none. */
export interface Reserving {
  readonly id: string;
  readonly session: string;
  readonly model: string;
  readonly cause: WakeKind;
  readonly purpose: UsagePurpose;
  readonly most: Reservation;
}

/** Books the most a request may cost. */
export function reserve(tx: Tx, { id, session, model, cause, purpose, most }: Reserving): void {
  const day = localDay(tx.now);
  const reserved = whole(most);
  const row = { step: id, session, model, cause, day, reserved, settled: false, purpose, detail: null };
  tx.rows.insert(usage, { ...row, ...reserved });
  book(tx, day, session, reserved);
}

/** Replaces a reservation by what the request cost and which model answered; a second time changes nothing. */
export function settle(tx: Tx, id: string, cost: Usage, model?: string): void {
  const row = tx.rows.get(usage, id);
  if (!row || row.settled) return;
  const spent = spentBy(cost);
  const answered = model === undefined || model === '' ? {} : { model };
  tx.rows.update(usage, [id], { settled: true, ...spent, detail: cost, ...answered });
  book(tx, row.day, row.session, {
    tokens: spent.tokens - row.reserved.tokens,
    microUsd: spent.microUsd - row.reserved.microUsd,
  });
}

/** The request of this step was refused before any work was done for it: what was reserved is free until it is made again. */
export function release(tx: Tx, step: string): void {
  const row = tx.rows.get(usage, step);
  if (row && !row.settled) moveTo(tx, row, row.day, noReservation);
}

/** True when what this step may cost is not reserved any more. */
export function isReleased(tx: Tx, { id, reservation }: Pick<OpenStep, 'id' | 'reservation'>): boolean {
  const row = tx.rows.get(usage, id);
  const free = row?.reserved.tokens === 0 && row.reserved.microUsd === 0;
  return row !== null && !row.settled && free && (reservation.tokens > 0 || reservation.microUsd > 0);
}

/** Books what was released once more, on the day on which the request is made again. */
export function reserveAgain(tx: Tx, step: string, most: Reservation): void {
  const row = tx.rows.get(usage, step);
  if (row && !row.settled) moveTo(tx, row, localDay(tx.now), whole(most));
}

function moveTo(tx: Tx, row: UsageRow, day: string, reserved: Reservation): void {
  book(tx, row.day, row.session, { tokens: -row.reserved.tokens, microUsd: -row.reserved.microUsd });
  tx.rows.update(usage, [row.step], { day, reserved, ...reserved });
  book(tx, day, row.session, reserved);
}

/** A request whose reply never came counts as having cost what was reserved. */
export function settleAtReservation(tx: Tx, id: string): void {
  const row = tx.rows.get(usage, id);
  if (row && !row.settled) tx.rows.update(usage, [id], { settled: true });
}

/**
 * The request of this step went out and its answer is lost: what was reserved for it stays spent, the same again is reserved for
 * the identical request that follows (design 11).
 */
export function keepSpent(tx: Tx, step: string): void {
  const row = tx.rows.get(usage, step);
  if (!row || row.settled || (row.reserved.tokens === 0 && row.reserved.microUsd === 0)) return;
  const id = tx.ids.next(idPrefix.side);
  tx.rows.insert(usage, { ...row, step: id, day: localDay(tx.now), settled: true });
  book(tx, localDay(tx.now), row.session, row.reserved);
}

/** All tokens a request was billed for; `inputTokens` does not contain the cached ones. */
function spentBy(cost: Usage): Reservation {
  const tokens = cost.inputTokens + cost.outputTokens + cost.cacheReadTokens + cost.cacheWriteTokens;
  return whole({ tokens, microUsd: cost.microUsd });
}

/** Money and tokens are kept as whole numbers, rounded up. */
function whole({ tokens, microUsd }: Reservation): Reservation {
  return { tokens: Math.ceil(tokens), microUsd: Math.ceil(microUsd) };
}

function book(tx: Tx, day: string, session: string, change: Reservation): void {
  if (change.tokens === 0 && change.microUsd === 0) return;
  for (const on of [day, everyDay]) {
    for (const owner of ['', session]) {
      const sum = tx.rows.get(usageDays, on, owner);
      const tokens = (sum?.tokens ?? 0) + change.tokens;
      const microUsd = (sum?.microUsd ?? 0) + change.microUsd;
      if (sum) tx.rows.update(usageDays, [on, owner], { tokens, microUsd });
      else tx.rows.insert(usageDays, { day: on, session: owner, tokens, microUsd });
    }
  }
}
