import { idPrefix } from '../../../../shared/domain/ids.ts';
import { selfOrigin, viewersRoute } from '../../../../shared/domain/origin-route.ts';
import type { WakeKind } from '../../../../shared/domain/wakes.ts';
import type { NewWake } from '../port.ts';
import type { WakeRecord } from '../rows/records.ts';
import { storedDue } from '../rows/due-time.ts';
import { wakes } from '../rows/tables.ts';
import { badInput } from './rejections.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

/** Stores a wake that continues a call. */
export function admitCallWake(tx: Tx, draft: SessionDraft, input: NewWake): WakeRecord {
  if (input.call === undefined) throw badInput(`A wake of kind ${input.kind} names its call.`);
  const turn = draft.row.turn?.id ?? null;
  return insertWake(tx, { ...wakeOf(tx, input, tx.ids.next(idPrefix.wake)), call: input.call, turn });
}

/** The empty fields of a new wake. */
export function wakeOf(tx: Tx, input: NewWake, id: string): WakeRecord {
  const { session, kind, mode, origin, route, dedupeKey } = input;
  return {
    id,
    session,
    kind,
    mode,
    origin,
    route,
    dedupeKey,
    state: 'pending',
    createdAt: tx.now,
    availableAt: storedDue(Math.ceil(input.availableAt ?? tx.now), Math.ceil(tx.now)),
    message: null,
    ref: null,
    seq: null,
    call: null,
    turn: null,
    text: false,
    direct: false,
    settledBy: null,
  };
}

/** Stores a wake. */
export function insertWake(tx: Tx, wake: WakeRecord): WakeRecord {
  tx.rows.insert(wakes, wake);
  tx.workChanged();
  return wake;
}

/** Stores Kairos's own reason to go on with a call: a verdict, an answer, an alarm. */
export function wakeCall(
  tx: Tx,
  draft: SessionDraft,
  wake: { kind: WakeKind; call: string; dedupeKey: string; availableAt?: number },
): void {
  admitCallWake(tx, draft, {
    ...wake,
    session: draft.id,
    mode: 'next_step',
    origin: selfOrigin,
    route: viewersRoute,
  });
}

/** The pending wakes that continue calls of this session. */
function pendingCallWakes(tx: Tx, draft: SessionDraft): WakeRecord[] {
  return tx.rows.find(wakes, {
    eq: { session: draft.id, state: 'pending', text: false },
    via: 'wakes_order',
  });
}

/** A step goes on: the verdicts, answers and alarms of its calls that are due have done their work. */
export function consumeCallWakes(tx: Tx, draft: SessionDraft): void {
  for (const wake of pendingCallWakes(tx, draft)) {
    if (wake.availableAt <= tx.now) tx.rows.update(wakes, [wake.id], { state: 'consumed' });
  }
}

/** A call ended: what still waited to continue it is cancelled. */
export function cancelCallWakes(tx: Tx, draft: SessionDraft, call: string): void {
  for (const wake of pendingCallWakes(tx, draft)) {
    if (wake.call === call) tx.rows.update(wakes, [wake.id], { state: 'cancelled' });
  }
}
