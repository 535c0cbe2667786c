import { assertNever } from '../../../../shared/base/assert-never.ts';
import { viewersRoute } from '../../../../shared/domain/origin-route.ts';
import { type AfterStep, afterStep, type OpenTurn } from '../../../../shared/domain/steps.ts';
import type { NextStep, StepTerms } from '../port.ts';
import { beginStep } from './begin-step.ts';
import { failOpenTurn } from './fail-turn.ts';
import { sendMessage } from './sending.ts';
import type { SessionDraft } from './session-draft.ts';
import { endTurn, routesOf } from './settling.ts';
import type { Tx } from './tx.ts';

/** What follows a finished step, in the same commit: the next step, a nudge, or the turn's end with what it owes. */
export function finishStep(
  tx: Tx,
  draft: SessionDraft,
  ended: { hadCalls: boolean; finalText: string; goOn?: string },
  terms: StepTerms,
): NextStep {
  const { turn } = draft;
  if (!ended.hadCalls && ended.goOn !== undefined && mayGoOn(turn, terms))
    return goOn(tx, draft, ended.goOn, terms);
  const follows = afterStep(turn, ended.hadCalls, ended.finalText, terms.brief ?? draft.row.brief);
  switch (follows.kind) {
    case 'next':
      if (turn.steps >= (terms.maxSteps ?? Number.POSITIVE_INFINITY))
        return failOpenTurn(tx, draft, tooManySteps(turn.steps));
      draft.set({ step: null, replySeq: null });
      return beginStep(tx, draft, terms);
    case 'nudge':
      tx.append(draft, { type: 'turn.nudged', body: { turn: turn.id, text: follows.text } });
      draft.set({ step: null, replySeq: null, turn: { ...turn, nudged: true } });
      return beginStep(tx, draft, terms);
    case 'end':
      return { kind: 'turn_ended', turn: closeTurn(tx, draft, follows) };
    default:
      return assertNever(follows, 'what follows a step');
  }
}

/** A hook that is never content must not keep a turn going for ever. */
const mostGoOns = 3;

function mayGoOn(turn: OpenTurn, { maxSteps = Number.POSITIVE_INFINITY }: StepTerms): boolean {
  return (turn.goneOn ?? 0) < mostGoOns && turn.steps < maxSteps;
}

/** The turn would be over, but a Stop hook wants more of it. */
function goOn(tx: Tx, draft: SessionDraft, text: string, terms: StepTerms): NextStep {
  const { turn } = draft;
  tx.append(draft, { type: 'turn.nudged', body: { turn: turn.id, text } });
  draft.set({ step: null, replySeq: null, turn: { ...turn, goneOn: (turn.goneOn ?? 0) + 1 } });
  return beginStep(tx, draft, terms);
}

function tooManySteps(steps: number): string {
  return `Stopped after ${steps} steps in one turn, the most that the settings allow (agent.stepsPerTurn). Write "go on" to let it continue.`;
}

function closeTurn(tx: Tx, draft: SessionDraft, end: Extract<AfterStep, { kind: 'end' }>): string {
  const { deliver, failed, to } = end;
  if (deliver !== null) tell(tx, draft, deliver, 'final_text', to);
  if (failed !== null) tell(tx, draft, failed, 'notice', to);
  const outcome = failed === null ? 'done' : 'failed';
  return endTurn(tx, draft, outcome, failed === null ? 'reply' : 'failure_notice');
}

/** One copy for each chat; where nobody asked, for the viewers. */
function tell(
  tx: Tx,
  draft: SessionDraft,
  text: string,
  source: 'final_text' | 'notice',
  to: OpenTurn['owes'],
): void {
  const inReplyTo = to.length === 1 ? (to[0]?.ref ?? null) : null;
  const routes = to.length > 0 ? routesOf(tx, to) : [viewersRoute];
  sendMessage(tx, draft, { call: null, text, status: 'normal', source, inReplyTo, routes });
}
