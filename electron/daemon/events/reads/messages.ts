import { isKnownEvent, type StoredEvent } from '../../../../shared/domain/events.ts';
import type { MessageStatus } from '../port.ts';
import { toWakeRow } from '../rows/records.ts';
import { events, sent, wakes } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';
import { toStoredEvent } from './stored-event.ts';

/** How far the message of that id (or wake) is, with what its turn said so far; null when it is unknown. */
export function messageStatus(rows: RowStore, idOrWake: string): MessageStatus | null {
  const wake =
    rows.get(wakes, idOrWake) ?? rows.find(wakes, { eq: { message: idOrWake }, limit: 1 })[0] ?? null;
  if (!wake) return null;
  const replies = wake.turn === null ? [] : repliesOf(rows, wake.turn);
  return { wake: toWakeRow(wake), settledBy: wake.settledBy, replies };
}

function repliesOf(rows: RowStore, turn: string): MessageStatus['replies'] {
  return rows.find(sent, { eq: { turn } }).flatMap(({ session, seq }) => {
    const row = rows.get(events, session, seq);
    const event = row && toStoredEvent(row);
    if (!event || !isKnownEvent(event) || event.type !== 'message.sent') return [];
    const { text, status, attachments, lost } = event.body;
    return [{ text, status, ...(attachments ? { attachments } : {}), ...(lost ? { lost } : {}) }];
  });
}

/** A page of the log: newest first, or with `after` oldest first. */
export function eventPage(
  rows: RowStore,
  session: string,
  page: { before?: number; after?: number; limit: number },
): StoredEvent[] {
  const limit = Math.max(0, Math.min(page.limit, 1000));
  const { before, after } = page;
  const found = rows.find(events, {
    eq: { session },
    ...(before === undefined ? {} : { lt: { seq: before } }),
    ...(after === undefined ? {} : { gt: { seq: after } }),
    order: { by: 'seq', down: after === undefined },
    limit,
  });
  // Types that this build does not know travel on as they are; readers ask `isKnownEvent`.
  return found.map((record) => toStoredEvent(record) as StoredEvent);
}
