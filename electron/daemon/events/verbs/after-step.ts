import { assertNever } from '../../../../shared/base/assert-never.ts';
import { viewersRoute } from '../../../../shared/domain/origin-route.ts';
import { afterStep, nudgeText } from '../../../../shared/domain/steps.ts';
import type { NextStep, StepTerms } from '../port.ts';
import { beginStep } from './begin-step.ts';
import { failOpenTurn } from './fail-turn.ts';
import { sendMessage } from './sending.ts';
import type { SessionDraft } from './session-draft.ts';
import { endTurn, routesOf, unanswered } from './settling.ts';
import type { Tx } from './tx.ts';

/** What follows a finished step, in the same commit: the next step, a nudge, or the turn's end with what it owes. */
export function finishStep(
  tx: Tx,
  draft: SessionDraft,
  ended: { hadCalls: boolean; finalText: string },
  terms: StepTerms,
): NextStep {
  const { turn } = draft;
  const follows = afterStep(turn, ended.hadCalls, ended.finalText, terms.brief ?? draft.row.brief);
  switch (follows.kind) {
    case 'next':
      if (turn.steps >= (terms.maxSteps ?? Number.POSITIVE_INFINITY))
        return failOpenTurn(tx, draft, tooManySteps(turn.steps));
      draft.set({ step: null, replySeq: null });
      return beginStep(tx, draft, terms);
    case 'nudge':
      tx.append(draft, { type: 'turn.nudged', body: { turn: turn.id, text: nudgeText } });
      draft.set({ step: null, replySeq: null, turn: { ...turn, nudged: true } });
      return beginStep(tx, draft, terms);
    case 'end':
      return { kind: 'turn_ended', turn: closeTurn(tx, draft, follows) };
    default:
      return assertNever(follows, 'what follows a step');
  }
}

function tooManySteps(steps: number): string {
  return `Stopped after ${steps} steps in one turn, the most that the settings allow (agent.stepsPerTurn). Write "go on" to let it continue.`;
}

function closeTurn(
  tx: Tx,
  draft: SessionDraft,
  end: { deliver: string | null; failed: string | null },
): string {
  if (end.deliver !== null) tell(tx, draft, end.deliver, 'final_text');
  if (end.failed !== null) tell(tx, draft, end.failed, 'notice');
  const failed = end.failed !== null;
  return endTurn(tx, draft, failed ? 'failed' : 'done', failed ? 'failure_notice' : 'reply');
}

/** One copy for each chat that still waits; where nobody asked, for the viewers. */
function tell(tx: Tx, draft: SessionDraft, text: string, source: 'final_text' | 'notice'): void {
  const owed = unanswered(draft.turn);
  const inReplyTo = owed.length === 1 ? (owed[0]?.ref ?? null) : null;
  const routes = owed.length > 0 ? routesOf(tx, owed) : [viewersRoute];
  sendMessage(tx, draft, { call: null, text, status: 'normal', source, inReplyTo, routes });
}
