import type { CallResult } from '../../../../shared/domain/messages.ts';
import { closePrompts } from './close-prompts.ts';
import { storeCallEnd } from './call-end.ts';
import { callsOf, isEnded } from './run-at.ts';
import type { SessionDraft } from './session-draft.ts';
import { endTurn } from './settling.ts';
import type { Tx } from './tx.ts';
import { settleAtReservation } from './usage.ts';

const interrupted: CallResult = { outcome: 'interrupted', output: 'Interrupted by a person.' };

/** Ends the running turn; false when there is none. */
export function interrupt(tx: Tx, session: string, reason: string): boolean {
  const draft = tx.session(session);
  if (!draft.row.turn) return false;
  interruptTurn(tx, draft, reason);
  return true;
}

/** `interrupt` inside another verb; the session has an open turn. */
export function interruptTurn(tx: Tx, draft: SessionDraft, reason: string): void {
  const { step } = draft.row;
  if (step?.state === 'began') {
    tx.append(draft, { type: 'step.abandoned', body: { step: step.id, turn: step.turn, reason } });
    settleAtReservation(tx, step.id);
  }
  closePrompts(tx, draft, reason);
  if (step) {
    for (const call of callsOf(tx.rows, step.id)) {
      if (!isEnded(call)) storeCallEnd(tx, draft, call, interrupted);
    }
  }
  endTurn(tx, draft, 'interrupted', 'interrupted');
  tx.workChanged();
}
