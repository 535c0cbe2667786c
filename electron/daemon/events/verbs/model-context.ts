import type { EventBody } from '../../../../shared/domain/events.ts';
import { badInput, stale } from './rejections.ts';
import type { Tx } from './tx.ts';

/**
 * From now on the model reads `text` in place of everything before seq `from`. The log is not touched; the frame is unpinned, so
 * that instructions are read anew. The seq of the event.
 */
export function compact(tx: Tx, session: string, input: EventBody<'context.compacted'>): number {
  const draft = tx.session(session);
  const { from, text } = input;
  const earliest = draft.row.compaction?.from ?? 0;
  if (from < earliest || from > draft.row.seq + 1)
    throw badInput(
      `A context cannot go on from seq ${from}: it began at ${earliest}, the log ends at ${draft.row.seq}.`,
    );
  const { seq } = tx.append(draft, { type: 'context.compacted', body: input });
  draft.set({ compaction: { seq, from, text }, frame: null });
  return seq;
}

/** Replaces the running note of the session; one that covers less than the stored one is stale. */
export function noteSession(tx: Tx, session: string, input: EventBody<'session.noted'>): void {
  const draft = tx.session(session);
  const { upTo, text } = input;
  if (upTo > draft.row.seq) throw badInput(`The log ends at seq ${draft.row.seq}, before ${upTo}.`);
  if (upTo <= (draft.row.memo?.upTo ?? -1)) throw stale('A newer note of the session is stored.');
  tx.append(draft, { type: 'session.noted', body: input });
  draft.set({ memo: { upTo, text } });
}

/** What a hook did, for people; where it withheld a message, the model does not get its text. */
export function noteHook(tx: Tx, session: string, input: EventBody<'hook.ran'>): void {
  const draft = tx.session(session);
  tx.append(draft, { type: 'hook.ran', body: input });
}

/** Tells the model something in the open turn. */
export function noteContext(tx: Tx, session: string, input: EventBody<'context.noted'>): void {
  const draft = tx.session(session);
  if (draft.turn.id !== input.turn) throw stale('The turn of this note is over.');
  tx.append(draft, { type: 'context.noted', body: input });
}
