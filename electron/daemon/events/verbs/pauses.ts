import type { SessionRow } from '../rows.ts';
import { toSessionRow } from '../rows/records.ts';
import { meta, sessions } from '../rows/tables.ts';
import type { Tx } from './tx.ts';

/** No new step for this session but for an owner's direct message. */
export function setPaused(tx: Tx, id: string, paused: boolean): SessionRow {
  const draft = tx.session(id);
  if (draft.row.paused !== paused) {
    draft.set({ paused });
    tx.append(draft, { type: paused ? 'session.paused' : 'session.resumed', body: {} });
    tx.workChanged();
  }
  return toSessionRow(draft.row);
}

/** The same for every session; the times from which sessions may run are made anew. */
export function setPausedAll(tx: Tx, paused: boolean): void {
  if (tx.pausedAll === paused) return;
  setMeta(tx, 'paused_all', paused ? '1' : '0');
  for (const { id } of tx.rows.find(sessions, { eq: { inTurn: true } })) tx.anySession(id);
  for (const { id } of tx.rows.find(sessions, { gt: { pendingTexts: 0 } })) tx.anySession(id);
  tx.workChanged();
}

/** Stores a setting of this installation. */
export function setMeta(tx: Tx, key: string, value: string): void {
  if (tx.rows.get(meta, key)) tx.rows.update(meta, [key], { value });
  else tx.rows.insert(meta, { key, value });
  tx.metaChanged();
}
