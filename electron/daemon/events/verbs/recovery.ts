import { recover } from '../../../../shared/domain/effects.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import type { Recovered } from '../port.ts';
import type { EffectRow } from '../rows.ts';
import { effects, sessions } from '../rows/tables.ts';
import { storeCallEnd } from './call-end.ts';
import { callsOf, isEnded } from './run-at.ts';
import type { SessionDraft } from './session-draft.ts';
import { parkDraft } from './sessions.ts';
import { loseTasks } from './task-ends.ts';
import type { Tx } from './tx.ts';
import { keepSpent } from './usage.ts';

/** So many deaths at one place park the session. */
const mostDeaths = 3;

const unknown: CallResult = {
  outcome: 'unknown',
  output: 'Interrupted; it is not known whether this took effect. Check before repeating it.',
};

/** A worker died with this session: its running calls are pure and may run again, or their outcome is unknown. */
export function workerLost(tx: Tx, session: string, countAsCrash: boolean): Recovered {
  return recoverDraft(tx, tx.session(session), countAsCrash);
}

/** The same for every session with an open step or a background task, at boot, without counting. */
export function recoverAll(tx: Tx): Recovered[] {
  const inStep = tx.rows.pick(sessions, ['id'], { eq: { inTurn: true }, notNull: ['step'] });
  const withTasks = tx.rows.pick(sessions, ['id'], { notNull: ['tasks'], isNull: ['archivedAt'] });
  const ids = new Set(inStep.map(({ id }) => id));
  for (const { id } of withTasks) if (hasTasks(tx, id)) ids.add(id);
  return [...ids].map((id) => recoverDraft(tx, tx.anySession(id), false));
}

function hasTasks(tx: Tx, session: string): boolean {
  return (tx.anySession(session).row.tasks?.running.length ?? 0) > 0;
}

function recoverDraft(tx: Tx, draft: SessionDraft, countAsCrash: boolean): Recovered {
  const { step } = draft.row;
  const calls = step ? callsOf(tx.rows, step.id) : [];
  if (countAsCrash && draft.row.turn)
    countDeath(draft, `${step?.id ?? draft.turn.id}:${calls.filter(isEnded).length}`);
  if (step?.state === 'began' && !draft.row.parked) keepSpent(tx, step.id);
  const running = calls.filter((call) => call.state === 'started' && call.until === null);
  const unknownCalls = running
    .filter((call) => recover(call.class, 'started') !== 'retry')
    .map((call) => call.id);
  for (const call of running) recoverCall(tx, draft, call);
  const parked = (draft.row.crash?.count ?? 0) >= mostDeaths;
  if (parked)
    parkDraft(tx, draft, 'crash_loop', 'its worker ended unexpectedly three times at the same place.');
  loseTasks(tx, draft);
  if (draft.row.turn) tx.workChanged();
  return { session: draft.id, unknownCalls, parked };
}

function recoverCall(tx: Tx, draft: SessionDraft, call: EffectRow): void {
  if (recover(call.class, 'started') === 'retry')
    tx.rows.update(effects, [call.id], { state: 'planned', updatedAt: tx.now });
  else storeCallEnd(tx, draft, call, unknown);
}

function countDeath(draft: SessionDraft, at: string): void {
  const before = draft.row.crash;
  draft.set({ crash: { at, count: before?.at === at ? before.count + 1 : 1 } });
}
