import type { EventBody } from '../../../../shared/domain/events.ts';
import type { Route } from '../../../../shared/domain/origin-route.ts';
import { isAnswered, type OpenTurn } from '../../../../shared/domain/steps.ts';
import { needsSettling, type SettledBy } from '../../../../shared/domain/wakes.ts';
import type { WakeRecord } from '../rows/records.ts';
import { wakes } from '../rows/tables.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

/** Messages of the turn that nothing visible answered yet. */
export function unanswered(turn: OpenTurn): OpenTurn['owes'] {
  return turn.owes.filter((owed) => !isAnswered(turn, owed));
}

/** The routes of owed messages, fixed when they were admitted. */
export function routesOf(tx: Tx, owes: OpenTurn['owes']): Route[] {
  return owes.flatMap(({ wake }) => tx.rows.get(wakes, wake)?.route ?? []);
}

function settleMessage(tx: Tx, draft: SessionDraft, wake: WakeRecord, by: SettledBy): void {
  tx.rows.update(wakes, [wake.id], { state: 'settled', settledBy: by });
  tx.append(draft, {
    type: 'message.settled',
    body: {
      message: wake.message ?? wake.id,
      wake: wake.id,
      ref: wake.ref ?? '',
      turn: draft.row.turn?.id ?? null,
      by,
    },
  });
}

/** Ends the open turn: everything it consumed is settled, each owed message by its answer or else by `otherwise`. */
export function endTurn(
  tx: Tx,
  draft: SessionDraft,
  outcome: EventBody<'turn.ended'>['outcome'],
  otherwise: SettledBy,
): string {
  const { turn } = draft;
  const owed = new Map(turn.owes.map((entry) => [entry.wake, entry]));
  for (const wake of tx.rows.find(wakes, { eq: { session: draft.id, state: 'consumed' } })) {
    const debt = owed.get(wake.id);
    if (debt) settleMessage(tx, draft, wake, settledBy(turn, debt, otherwise));
    else tx.rows.update(wakes, [wake.id], { state: 'settled' });
  }
  tx.append(draft, { type: 'turn.ended', body: { turn: turn.id, outcome } });
  draft.set({ turn: null, step: null, turnFacts: null, replySeq: null, inTurn: false, crash: null });
  tx.passes('commit.endTurn');
  return turn.id;
}

function settledBy(turn: OpenTurn, debt: OpenTurn['owes'][number], otherwise: SettledBy): SettledBy {
  if (turn.answered.includes(debt.routeKey)) return 'reply';
  return turn.silenced.includes(debt.wake) ? 'nothing_to_say' : otherwise;
}

/** Settles what no turn took, for a session that will never run again; gives the routes of those who wait for an answer. */
export function settlePending(tx: Tx, draft: SessionDraft): Route[] {
  const pending = tx.rows.find(wakes, { eq: { session: draft.id, state: 'pending' } });
  for (const wake of pending) {
    if (needsSettling(wake.kind)) settleMessage(tx, draft, wake, 'interrupted');
    else tx.rows.update(wakes, [wake.id], { state: 'cancelled' });
  }
  draft.set({ pendingTexts: 0 });
  draft.textsTaken = true;
  return pending.filter((wake) => needsSettling(wake.kind)).map((wake) => wake.route);
}
