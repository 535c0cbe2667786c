import { isKnownEvent } from '../../../../shared/domain/events.ts';
import type { Reply } from '../../../../shared/domain/messages.ts';
import type { OpenStep } from '../../../../shared/domain/steps.ts';
import type { NextStep, StepTerms } from '../port.ts';
import type { EffectRow } from '../rows.ts';
import { events } from '../rows/tables.ts';
import { toStoredEvent } from '../reads/stored-event.ts';
import { finishStep } from './after-step.ts';
import { beginStep } from './begin-step.ts';
import { overBudget, parkForBudget, staysParked } from './budget.ts';
import { callGate, callsOf, isEnded } from './run-at.ts';
import type { SessionDraft } from './session-draft.ts';
import { endSleep, wakesSleep } from './sleep.ts';
import type { Tx } from './tx.ts';
import { isReleased, reserveAgain } from './usage.ts';
import { consumeCallWakes } from './call-wakes.ts';

/** What the session's runner has to do next; begins, repeats or resumes a step. */
export function nextStep(tx: Tx, session: string, terms: StepTerms): NextStep {
  const draft = tx.session(session);
  if (staysParked(tx, draft)) {
    return { kind: 'refused', why: 'parked', reason: draft.row.parked?.reason ?? '' };
  }
  const { step } = draft.row;
  if (!step) return beginStep(tx, draft, terms);
  if (step.state === 'began') return again(tx, draft, step, terms);
  return resume(tx, draft, step, terms);
}

/** The identical request. One that was refused unspent is reserved again first, within the limits of now. */
function again(tx: Tx, draft: SessionDraft, step: OpenStep, terms: StepTerms): NextStep {
  if (isReleased(tx, step)) {
    const over = overBudget(tx, draft.row, terms.limits, step.reservation);
    if (over !== null) return { kind: 'refused', why: 'budget', reason: parkForBudget(tx, draft, over) };
    reserveAgain(tx, step.id, step.reservation);
  }
  return { kind: 'request', step, repeated: true };
}

function resume(tx: Tx, draft: SessionDraft, step: OpenStep, terms: StepTerms): NextStep {
  const calls = callsOf(tx.rows, step.id);
  const open = calls.filter((call) => !isEnded(call));
  const [first] = open;
  if (!first) return finishStep(tx, draft, { hadCalls: true, finalText: '' }, terms);
  const gate = callGate(tx.rows, draft.row, first);
  if (gate.kind === 'person') return { kind: 'waiting', call: first.id };
  if (gate.kind !== 'sleep') return goOn(tx, draft, step, calls);
  const reason = wakesSleep(tx, draft, first);
  if (reason === null) return { kind: 'waiting', call: first.id };
  endSleep(tx, draft, first, reason);
  if (open.length > 1) return goOn(tx, draft, step, callsOf(tx.rows, step.id));
  return finishStep(tx, draft, { hadCalls: true, finalText: '' }, terms);
}

function goOn(tx: Tx, draft: SessionDraft, step: OpenStep, calls: readonly EffectRow[]): NextStep {
  consumeCallWakes(tx, draft);
  if (draft.row.decideAnew === 'wanted') draft.set({ decideAnew: 'told' });
  return { kind: 'calls', step, reply: replyOf(tx, draft), calls };
}

function replyOf(tx: Tx, draft: SessionDraft): Reply {
  const row = tx.rows.get(events, draft.id, draft.row.replySeq ?? 0);
  const event = row && toStoredEvent(row);
  if (!event || !isKnownEvent(event) || event.type !== 'step.replied') {
    throw new Error('A replied step has its step.replied event.');
  }
  return event.body.reply;
}
