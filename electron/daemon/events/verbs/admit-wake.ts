import { KairosError } from '../../../../shared/base/errors.ts';
import { idPrefix } from '../../../../shared/domain/ids.ts';
import { carriesText } from '../../../../shared/domain/wakes.ts';
import type { Admission, NewSession, NewWake } from '../port.ts';
import { toWakeRow, type WakeRecord } from '../rows/records.ts';
import { wakes } from '../rows/tables.ts';
import { admitCallWake, insertWake, wakeOf } from './call-wakes.ts';
import { interruptTurn } from './interrupt.ts';
import { badInput } from './rejections.ts';
import type { SessionDraft } from './session-draft.ts';
import { createSession } from './sessions.ts';
import type { Tx } from './tx.ts';

/** A longer text belongs in a file. UTF-8 bytes. */
const longestText = 256 * 1024;

/** Stores a reason to run, once per dedupe key; a text becomes `message.received`. */
export function admitWake(tx: Tx, input: NewWake): Admission {
  const [known] = tx.rows.find(wakes, { eq: { dedupeKey: input.dedupeKey }, limit: 1 });
  if (known) return { wake: toWakeRow(known), duplicate: true };
  const draft = tx.session(input.session);
  const wake = carriesText(input.kind) ? admitText(tx, draft, input) : admitCallWake(tx, draft, input);
  draft.set({ lastActivity: tx.now });
  return { wake: toWakeRow(wake), duplicate: false };
}

/** The same for a session that is made with it. */
export function admitToNewSession(tx: Tx, session: NewSession, input: Omit<NewWake, 'session'>): Admission {
  const [known] = tx.rows.find(wakes, { eq: { dedupeKey: input.dedupeKey }, limit: 1 });
  if (known) return { wake: toWakeRow(known), duplicate: true };
  const { id } = createSession(tx, session);
  tx.passes('commit.createSession');
  return admitWake(tx, { ...input, session: id });
}

function admitText(tx: Tx, draft: SessionDraft, input: NewWake): WakeRecord {
  const { text, kind, mode, route, origin } = input;
  if (text === undefined) throw badInput(`A wake of kind ${kind} carries a text.`);
  if (Buffer.byteLength(text) > longestText) {
    throw new KairosError('too_large', 'The message is longer than 256 KB.', { next: 'Put it into a file.' });
  }
  const message = input.message ?? tx.ids.next(idPrefix.message);
  const ref = `m${draft.row.nextRef}`;
  const id = tx.ids.next(idPrefix.wake);
  const event = tx.append(draft, {
    type: 'message.received',
    origin,
    body: { message, wake: id, ref, kind, mode, text, route },
  });
  draft.set({ nextRef: draft.row.nextRef + 1, pendingTexts: draft.row.pendingTexts + 1 });
  if (mode === 'replace' && draft.row.turn) interruptTurn(tx, draft, 'replaced by a newer message.');
  const direct = kind === 'person' && origin.trust === 'owner';
  return insertWake(tx, { ...wakeOf(tx, input, id), message, ref, seq: event.seq, text: true, direct });
}
