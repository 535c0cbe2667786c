import type { CallResult } from '../../../../shared/domain/messages.ts';
import type { Route } from '../../../../shared/domain/origin-route.ts';
import { closePrompts } from './close-prompts.ts';
import { storeCallEnd } from './call-end.ts';
import { callsOf, isEnded } from './run-at.ts';
import type { SessionDraft } from './session-draft.ts';
import { sendMessage } from './sending.ts';
import { endTurn, routesOf, unanswered } from './settling.ts';
import type { Tx } from './tx.ts';
import { settleAtReservation } from './usage.ts';

const interrupted: CallResult = { outcome: 'interrupted', output: 'Interrupted by a person.' };

/** `interrupt` inside another verb; the session has an open turn. */
export function interruptTurn(tx: Tx, draft: SessionDraft, reason: string): void {
  endOpenWork(tx, draft, reason, interrupted);
  const owed = unanswered(draft.turn);
  const only = owed.length === 1 ? (owed[0]?.ref ?? null) : null;
  tellStopped(tx, draft, routesOf(tx, owed), only, reason);
  endTurn(tx, draft, 'interrupted', 'interrupted');
  tx.workChanged();
}

/** Ends what the open step has under way: its request, its prompts, each open call with `result`. */
export function endOpenWork(tx: Tx, draft: SessionDraft, reason: string, result: CallResult): void {
  const { step } = draft.row;
  if (step?.state === 'began') {
    tx.append(draft, { type: 'step.abandoned', body: { step: step.id, turn: step.turn, reason } });
    settleAtReservation(tx, step.id);
  }
  closePrompts(tx, draft, reason);
  if (!step) return;
  for (const call of callsOf(tx.rows, step.id)) {
    if (!isEnded(call)) storeCallEnd(tx, draft, call, result);
  }
}

/** Whoever waits for an answer reads that none will come. */
export function tellStopped(
  tx: Tx,
  draft: SessionDraft,
  routes: readonly Route[],
  inReplyTo: string | null,
  reason: string,
): void {
  if (routes.length === 0) return;
  const text = `Stopped before an answer: ${reason}`;
  sendMessage(tx, draft, { call: null, text, status: 'normal', source: 'notice', inReplyTo, routes });
}
