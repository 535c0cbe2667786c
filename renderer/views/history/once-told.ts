import type { MessageOutItem, SessionItem } from '../../../shared/session/session-view-items.ts';

/**
 * The items without what is told twice. A session that stops is an event and, right after it, a message with the same reason: the
 * event is left out. While it is stopped for that reason the bar above the composer says it, so the message waits until the
 * session goes on.
 */
export function withoutTold(
  items: readonly SessionItem[],
  parked: { readonly reason: string } | null,
): readonly SessionItem[] {
  if (!items.some(isStop)) return items;
  const last = items.findLastIndex(isStop);
  return items.filter((item, index) => {
    if (isStop(item)) return messageOf(items, index) === null;
    const before = items[index - 1];
    const isToldBelow = index - 1 === last && before !== undefined && isStop(before);
    return !(isToldBelow && parked?.reason === before.detail && messageOf(items, last) === item);
  });
}

function isStop(item: SessionItem): item is Extract<SessionItem, { kind: 'notice' }> {
  return item.kind === 'notice' && item.notice === 'parked';
}

/** The message that says the same as the stop at this index. */
function messageOf(items: readonly SessionItem[], index: number): MessageOutItem | null {
  const [stop, next] = [items[index], items[index + 1]];
  if (stop?.kind !== 'notice' || next?.kind !== 'message_out' || next.source !== 'notice') return null;
  return next.text.endsWith(stop.detail) ? next : null;
}
