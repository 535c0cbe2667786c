import type { NextStep } from '../port.ts';
import { endOpenWork } from './interrupt.ts';
import { stale } from './rejections.ts';
import type { SessionDraft } from './session-draft.ts';
import { noticeRoutes } from './sessions.ts';
import { sendMessage } from './sending.ts';
import { endTurn } from './settling.ts';
import type { Tx } from './tx.ts';

/** Ends the open turn as failed and says why, to whoever began it. */
export function failTurn(tx: Tx, session: string, turn: string, reason: string): NextStep {
  const draft = tx.session(session);
  if (draft.turn.id !== turn) throw stale('That turn is over.');
  return failOpenTurn(tx, draft, reason);
}

/** `failTurn` inside another verb. Also those that got an answer before are told: it was not the last word. */
export function failOpenTurn(tx: Tx, draft: SessionDraft, reason: string): NextStep {
  endOpenWork(tx, draft, reason, { outcome: 'interrupted', output: `Not run: ${reason}` });
  sendMessage(tx, draft, {
    call: null,
    text: reason,
    status: 'normal',
    source: 'notice',
    inReplyTo: null,
    routes: noticeRoutes(tx, draft),
  });
  const turn = endTurn(tx, draft, 'failed', 'failure_notice');
  tx.workChanged();
  return { kind: 'turn_ended', turn };
}
