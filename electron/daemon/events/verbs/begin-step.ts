import { idPrefix } from '../../../../shared/domain/ids.ts';
import { routeKey } from '../../../../shared/domain/origin-route.ts';
import { type OpenStep, type OpenTurn, withDebts } from '../../../../shared/domain/steps.ts';
import { needsSettling } from '../../../../shared/domain/wakes.ts';
import type { NextStep, StepTerms } from '../port.ts';
import type { WakeRecord } from '../rows/records.ts';
import { wakes } from '../rows/tables.ts';
import { overBudget, parkForBudget, staysParked } from './budget.ts';
import { isPaused } from './run-at.ts';
import type { SessionDraft } from './session-draft.ts';
import { tellKept } from './task-ends.ts';
import type { Tx } from './tx.ts';
import { reserve } from './usage.ts';

/**
 * A turn takes no more texts than this, more wait for the next one: requests and the session's row stay small. With 10,000
 * messages in a burst and no bound per turn the daemon stored 370 of them a second, with this one 1,050.
 */
const mostTexts = 40;

/**
 * Begins the next step of the open turn, or a turn when due texts wait. Pause, budget and claim are one decision here; no other
 * code begins a step.
 */
export function beginStep(tx: Tx, draft: SessionDraft, terms: StepTerms): NextStep {
  if (staysParked(tx, draft)) {
    return { kind: 'refused', why: 'parked', reason: draft.row.parked?.reason ?? '' };
  }
  const running = draft.row.turn !== null;
  const waiting = dueTexts(tx, draft);
  if (!running && waiting.length === 0) return { kind: 'idle' };
  const due = tellKept(tx, draft) ? dueTexts(tx, draft) : waiting;
  const paused = isPaused(tx, draft.row);
  const texts = chooseTexts(paused ? due.filter((wake) => wake.direct) : due, draft.row.turn);
  const byOwner = draft.row.turnFacts?.byOwner === true || texts.some((wake) => wake.direct);
  if (paused && !byOwner) {
    return { kind: 'refused', why: 'paused', reason: "Paused: only an owner's message runs." };
  }
  const over = overBudget(tx, draft.row, terms.limits, terms.reservation);
  if (over !== null) return { kind: 'refused', why: 'budget', reason: parkForBudget(tx, draft, over) };
  return openStep(tx, draft, terms, texts);
}

function dueTexts(tx: Tx, draft: SessionDraft): WakeRecord[] {
  if (draft.row.pendingTexts === 0) return [];
  return tx.rows.find(wakes, {
    eq: { session: draft.id, state: 'pending', text: true },
    lte: { availableAt: tx.now },
    limit: 2 * mostTexts,
    via: 'wakes_order',
  });
}

/** A running turn takes what may join it; a new one also takes the first waiting text when that has to have its own turn. */
function chooseTexts(due: readonly WakeRecord[], turn: OpenTurn | null): WakeRecord[] {
  const joins = (wake: WakeRecord): boolean => wake.mode !== 'after_turn';
  const room = Math.max(0, mostTexts - (turn?.owes.length ?? 0));
  return due.filter((wake, index) => joins(wake) || (turn === null && index === 0)).slice(0, room);
}

function openStep(tx: Tx, draft: SessionDraft, terms: StepTerms, texts: readonly WakeRecord[]): NextStep {
  const turn = takeTexts(tx, draft, draft.row.turn ?? beginTurn(tx, draft, texts), texts);
  const step: OpenStep = {
    id: tx.ids.next(idPrefix.step),
    turn: turn.id,
    n: turn.steps + 1,
    state: 'began',
    frame: draft.row.frame ?? '',
    reservation: terms.reservation,
    wakes: texts.map((wake) => wake.id),
    calls: [],
  };
  draft.set({ turn: { ...turn, steps: step.n }, step, replySeq: null, inTurn: true });
  reserve(tx, {
    id: step.id,
    session: draft.id,
    model: draft.row.model,
    cause: draft.row.turnFacts?.cause ?? 'person',
    purpose: 'step',
    most: terms.reservation,
  });
  const { id, n, frame, reservation, wakes: taken } = step;
  const delivered = texts.map((wake) => ({ ref: wake.ref ?? '', seq: wake.seq ?? 0 }));
  tx.append(draft, {
    type: 'step.began',
    body: { step: id, turn: turn.id, n, frame, wakes: taken, delivered, reservation, policy: terms.policy },
  });
  tx.passes('commit.beginStep');
  return { kind: 'request', step, repeated: false };
}

function beginTurn(tx: Tx, draft: SessionDraft, texts: readonly WakeRecord[]): OpenTurn {
  const [first] = texts;
  if (!first) throw new Error('A turn begins with a text.');
  const id = tx.ids.next(idPrefix.turn);
  const { seq } = tx.append(draft, { type: 'turn.began', body: { turn: id, cause: first.kind } });
  draft.set({ turnFacts: { cause: first.kind, origin: first.origin, byOwner: false } });
  return { id, beganAt: tx.now, seq, steps: 0, nudged: false, owes: [], answered: [], silenced: [] };
}

/** Consumes the texts; what needs an answer becomes a debt of the turn. */
function takeTexts(tx: Tx, draft: SessionDraft, turn: OpenTurn, texts: readonly WakeRecord[]): OpenTurn {
  if (texts.length === 0) return turn;
  for (const wake of texts) tx.rows.update(wakes, [wake.id], { state: 'consumed', turn: turn.id });
  draft.set({ pendingTexts: draft.row.pendingTexts - texts.length });
  draft.textsTaken = true;
  const facts = draft.row.turnFacts;
  if (facts && !facts.byOwner && texts.some((wake) => wake.direct)) {
    draft.set({ turnFacts: { ...facts, byOwner: true } });
  }
  const debts = texts
    .filter((wake) => needsSettling(wake.kind))
    .map((wake) => ({
      wake: wake.id,
      message: wake.message ?? wake.id,
      ref: wake.ref ?? '',
      routeKey: routeKey(wake.route),
    }));
  return withDebts(turn, debts);
}
