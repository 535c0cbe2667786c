import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import { routeKey } from '../../../../shared/domain/origin-route.ts';
import { withAnswer } from '../../../../shared/domain/steps.ts';
import type { BeginCall, CallAnswer, CallPlan, NextStep, OutMessage, StepTerms } from '../port.ts';
import type { EffectRow } from '../rows.ts';
import { effects, prompts } from '../rows/tables.ts';
import { finishStep } from './after-step.ts';
import { askPerson } from './ask.ts';
import { storeCallEnd } from './call-end.ts';
import { withdrawPrompt } from './close-prompts.ts';
import { decidedAnew } from './decide-anew.ts';
import { noteDecision } from './note-decision.ts';
import { notFound, stale } from './rejections.ts';
import { firstOpenCall, isEnded } from './run-at.ts';
import { storedRules } from './rules.ts';
import { sendMessage } from './sending.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';
import { consumeCallWakes, wakeCall } from './call-wakes.ts';

/** Stores the decision on a call together with what follows from it. */
export function beginCall(tx: Tx, input: BeginCall): CallAnswer {
  const draft = tx.session(input.session);
  const call = callToBegin(tx, draft, input);
  if (call.state === 'started' && call.until !== null) return { kind: 'sleeping', until: call.until };
  if (call.state === 'started') throw stale('The call was begun before.');
  const { plan } = input;
  decidedAnew(draft, plan.do === 'ask');
  if (plan.do === 'ask') return askPerson(tx, draft, call, { ...input, prompt: plan.prompt });
  if (call.prompt !== null) withdrawPrompt(tx, draft, call.prompt, whyNobodyIsAsked(input));
  consumeCallWakes(tx, draft);
  switch (plan.do) {
    case 'grant':
      startCall(tx, draft, call, input, null);
      return { kind: 'granted' };
    case 'sleep':
      return sleepCall(tx, draft, call, input, Math.ceil(plan.until));
    case 'end':
      if (plan.result.outcome === 'denied') noteDecision(tx, call, input);
      else startCall(tx, draft, call, input, null);
      return {
        kind: 'ended',
        result: plan.result,
        next: finishCall(tx, draft, call, plan.result, input.terms),
      };
    case 'send':
    case 'silence':
    case 'todos':
      startCall(tx, draft, call, input, null);
      carryOut(tx, draft, call, plan);
      return {
        kind: 'ended',
        result: plan.result,
        next: finishCall(tx, draft, call, plan.result, input.terms),
      };
    default:
      return assertNever(plan, 'call plan');
  }
}

/** What the daemon does itself, in the commit that ends the call. */
function carryOut(
  tx: Tx,
  draft: SessionDraft,
  call: EffectRow,
  plan: Extract<CallPlan, { do: 'send' | 'silence' | 'todos' }>,
): void {
  switch (plan.do) {
    case 'send':
      return tellPerson(tx, draft, call, plan.message);
    case 'silence':
      return draft.set({ turn: { ...draft.turn, silenced: [...draft.turn.silenced, ...plan.wakes] } });
    case 'todos':
      draft.set({ todos: plan.todos });
      tx.append(draft, { type: 'todos.set', body: { call: call.id, todos: [...plan.todos] } });
      return;
    default:
      return assertNever(plan, 'plan of a host tool');
  }
}

/** For people who saw the question: what decided instead of them. */
function whyNobodyIsAsked({ plan, decision: { by, rule } }: BeginCall): string {
  const isDenied = plan.do === 'end' && plan.result.outcome === 'denied';
  if (!isDenied && plan.do !== 'grant') return 'No longer needed.';
  return `${by}${rule === null ? '' : ` ${rule}`}: ${isDenied ? 'it is denied' : 'it is allowed'}.`;
}

function sleepCall(
  tx: Tx,
  draft: SessionDraft,
  call: EffectRow,
  input: BeginCall,
  until: number,
): CallAnswer {
  startCall(tx, draft, call, input, until);
  wakeCall(tx, draft, { kind: 'timer', call: call.id, dedupeKey: `sleep:${call.id}`, availableAt: until });
  return { kind: 'sleeping', until };
}

function callToBegin(tx: Tx, draft: SessionDraft, input: BeginCall): EffectRow {
  const { step } = draft;
  if (draft.row.parked) throw stale('The session is parked.');
  if (step.id !== input.step || step.state !== 'replied') throw stale('The step of this call moved on.');
  const call = tx.rows.get(effects, input.call);
  if (!call || call.cause !== step.id) throw notFound('call in this step', input.call);
  if (isEnded(call)) throw stale('The call has ended.');
  if (!stillHolds(tx, draft, call, input.basis))
    throw stale('Mode or rules changed while the call was decided on.');
  return call;
}

/** What a person changed between the decision and this commit counts: it was acknowledged first. */
function stillHolds(tx: Tx, draft: SessionDraft, call: EffectRow, basis: BeginCall['basis']): boolean {
  if (!basis) return true;
  const present = storedRules(tx.rows, draft.id).map((rule) => rule.id);
  const prompt = call.prompt === null ? null : tx.rows.get(prompts, call.prompt);
  const same = basis.mode === draft.row.mode && basis.prompt === (prompt?.state ?? null);
  return same && basis.rules.join() === present.join();
}

function startCall(
  tx: Tx,
  draft: SessionDraft,
  call: EffectRow,
  input: BeginCall,
  until: number | null,
): void {
  noteDecision(tx, call, input);
  tx.rows.update(effects, [call.id], { state: 'started', attempt: call.attempt + 1, until });
  const { facts, decision, digest } = input;
  tx.append(draft, {
    type: 'call.began',
    body: {
      call: call.id,
      step: draft.step.id,
      turn: draft.step.turn,
      tool: facts.tool,
      input: facts.input,
      class: facts.class,
      decision,
      digest,
      ...(until === null ? {} : { until }),
    },
  });
  tx.workChanged();
}

function tellPerson(tx: Tx, draft: SessionDraft, call: EffectRow, message: OutMessage): void {
  const { attachments = [], lost = [], ...said } = message;
  for (const { hash } of attachments) tx.refer(hash, `call:${call.id}`);
  sendMessage(tx, draft, {
    ...said,
    call: call.id,
    source: 'tool',
    ...(attachments.length > 0 ? { attachments: [...attachments] } : {}),
    ...(lost.length > 0 ? { lost: [...lost] } : {}),
  });
  if (message.status !== 'normal') return;
  draft.set({ turn: withAnswer(draft.turn, message.routes.map(routeKey)) });
}

/** Ends a call; the last one's end and the next step are one commit, null while calls remain. */
function finishCall(
  tx: Tx,
  draft: SessionDraft,
  call: EffectRow,
  result: CallResult,
  terms: StepTerms,
): NextStep | null {
  storeCallEnd(tx, draft, call, result);
  draft.set({ crash: null });
  if (firstOpenCall(tx.rows, draft.step.id) !== null) return null;
  return finishStep(tx, draft, { hadCalls: true, finalText: '' }, terms);
}

/** Stores what the worker's call gave back. A call that was never begun may only end without having run. */
export function endCall(
  tx: Tx,
  input: { session: string; call: string; result: CallResult; terms: StepTerms },
): NextStep | null {
  const draft = tx.session(input.session);
  const call = tx.rows.get(effects, input.call);
  if (!call || call.kind !== 'call' || call.session !== draft.id)
    throw notFound('call in this session', input.call);
  if (isEnded(call) || draft.row.step?.id !== call.cause) throw stale('The call has ended.');
  if (call.state !== 'started' && (input.result.outcome === 'ok' || input.result.outcome === 'unknown')) {
    throw stale('The call was not begun.');
  }
  return finishCall(tx, draft, call, input.result, input.terms);
}
