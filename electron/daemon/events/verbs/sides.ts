import { idPrefix } from '../../../../shared/domain/ids.ts';
import type { Usage } from '../../../../shared/domain/messages.ts';
import type { NewSide } from '../usage-port.ts';
import { usage } from '../rows/tables.ts';
import { overBudget } from './budget.ts';
import { notFound } from './rejections.ts';
import type { Tx } from './tx.ts';
import { reserve, settle, settleAtReservation } from './usage.ts';

/** Reserves a request beside the conversation, or says why it must not be made. */
export function beginSide(tx: Tx, side: NewSide): { id: string } | { refused: string } {
  const { row } = tx.session(side.session);
  const over = overBudget(tx, row, side.limits, side.reservation);
  if (over !== null) return { refused: over.reason };
  const id = tx.ids.next(idPrefix.side);
  const cause = row.turnFacts?.cause ?? 'person';
  const { session, model, purpose, reservation: most } = side;
  reserve(tx, { id, session, model, cause, purpose, most });
  return { id };
}

/** Settles a request beside the conversation; null: what was reserved counts as spent. */
export function endSide(tx: Tx, session: string, id: string, cost: Usage | null): void {
  const row = tx.rows.get(usage, id);
  if (row?.session !== session || row.purpose === 'step') throw notFound('request', id);
  if (cost === null) settleAtReservation(tx, id);
  else settle(tx, id, cost);
}
