import type { Reservation } from '../../../../shared/domain/budget.ts';
import { usageDays } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';

/** The day under which sums over all days are kept. */
export const everyDay = '';

/** Spent and reserved on a day: by one session, or over all with an empty session. */
export function spentOn(rows: RowStore, day: string, session = ''): Reservation {
  const { tokens = 0, microUsd = 0 } = rows.get(usageDays, day, session) ?? {};
  return { tokens, microUsd };
}
