import type { SessionSummary } from '../port.ts';
import { type SessionRecord, toSessionRow, type WakeRecord } from '../rows/records.ts';
import { sessions, wakes } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';

const futureColumns = ['session', 'availableAt', 'text'] as const;
type Future = Pick<WakeRecord, (typeof futureColumns)[number]>;

/** Sessions with what their visible state follows from, in order of creation; without `ids` those (not) archived. */
export function summaries(
  rows: RowStore,
  now: number,
  filter: { ids?: readonly string[]; archived?: boolean } = {},
): SessionSummary[] {
  const ahead = { eq: { state: 'pending' }, gt: { availableAt: now }, via: 'wakes_time' } as const;
  if (filter.ids) {
    const found = filter.ids.flatMap((id) => rows.get(sessions, id) ?? []);
    return found
      .filter((session) => filter.archived === undefined || (session.archivedAt !== null) === filter.archived)
      .map((session) => summary(session, futureOf(rows, session.id, now)));
  }
  const future = Map.groupBy(rows.pick(wakes, futureColumns, ahead), (wake) => wake.session);
  const which =
    filter.archived === true ? { notNull: ['archivedAt' as const] } : { isNull: ['archivedAt' as const] };
  return rows.find(sessions, which).map((session) => summary(session, future.get(session.id) ?? []));
}

function futureOf(rows: RowStore, session: string, now: number): Future[] {
  const found = [true, false].map((text) =>
    rows.pick(wakes, futureColumns, {
      eq: { session, state: 'pending', text },
      gt: { availableAt: now },
      via: 'wakes_due',
    }),
  );
  return found.flat();
}

function summary(session: SessionRecord, future: readonly Future[]): SessionSummary {
  const nextWakeAt = future.reduce<number | null>(
    (least, { availableAt }) => (least === null ? availableAt : Math.min(least, availableAt)),
    null,
  );
  return {
    session: toSessionRow(session),
    openPrompts: session.openPrompts,
    pending: session.pendingTexts - future.filter((wake) => wake.text).length,
    sleepingUntil: session.sleepingUntil,
    nextWakeAt,
  };
}
