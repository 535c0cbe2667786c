import type { StoredEvent } from '../domain/events.ts';
import type { CallItem, SessionItem } from './session-view-items.ts';

type Kind = SessionItem['kind'];
/** The items of one kind. */
export type ItemOf<Wanted extends Kind> = Extract<SessionItem, { kind: Wanted }>;
/** The events of one type. */
export type EventOf<Type extends StoredEvent['type']> = Extract<StoredEvent, { type: Type }>;

/** Where an item stands that an event makes. */
export function placed(event: { readonly seq: number; readonly at: number }): { seq: number; at: number } {
  return { seq: event.seq, at: event.at };
}

/** Replaces the newest item of a kind that fits; false when there is none (its page is not loaded). */
export function change<Wanted extends Kind>(
  items: SessionItem[],
  kind: Wanted,
  fits: (item: ItemOf<Wanted>) => boolean,
  next: (item: ItemOf<Wanted>) => SessionItem,
): boolean {
  // From the end: what an event refers to is nearly always recent.
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.kind !== kind || !fits(item as ItemOf<Wanted>)) continue;
    items[index] = next(item as ItemOf<Wanted>);
    return true;
  }
  return false;
}

/** Changes the turn's own item, when its beginning is loaded. */
export function changeTurn(
  items: SessionItem[],
  turn: string,
  next: (item: ItemOf<'turn'>) => ItemOf<'turn'>,
): void {
  change(items, 'turn', (item) => item.turn === turn, next);
}

/** Sets what a call that has not ended waits for. */
export function setCallState(items: SessionItem[], call: string, state: 'asking' | 'running'): void {
  changeCall(items, call, null, (item) => (item.endedAt === null ? { ...item, state } : item));
}

/** Changes a call inside the fold of its turn (null: of whichever turn has it). */
export function changeCall(
  items: SessionItem[],
  call: string,
  turn: string | null,
  next: (item: CallItem) => CallItem,
): void {
  const holds = (item: ItemOf<'calls'>): boolean =>
    (turn === null || item.turn === turn) && item.calls.some((candidate) => candidate.call === call);
  change(items, 'calls', holds, (item) => ({
    ...item,
    calls: item.calls.map((candidate) => (candidate.call === call ? next(candidate) : candidate)),
  }));
}
