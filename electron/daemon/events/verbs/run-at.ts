import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { EffectRow } from '../rows.ts';
import type { SessionRecord } from '../rows/records.ts';
import { storedDue } from '../rows/due-time.ts';
import { effects, prompts, wakes } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';

/** What an open turn waits for. `between`: a new step may begin; `work`: a request or calls are under way or to be made. */
export type Gate =
  | { readonly kind: 'none' | 'between' | 'work' }
  | { readonly kind: 'person' | 'sleep'; readonly call: EffectRow };

/** Where the run times come from. */
export interface RunSource {
  readonly rows: RowStore;
  readonly now: number;
  readonly pausedAll: boolean;
}

/** True when the effect has its result. */
export function isEnded(effect: EffectRow): boolean {
  return effect.state === 'done' || effect.state === 'failed' || effect.state === 'uncertain';
}

/** The calls of a step in the model's order. */
export function callsOf(rows: RowStore, step: string): EffectRow[] {
  return rows.find(effects, { eq: { cause: step, kind: 'call' } });
}

/** What the session's open turn waits for; `none` without a turn. */
export function gateOf(rows: RowStore, session: SessionRecord): Gate {
  if (!session.turn) return { kind: 'none' };
  if (!session.step) return { kind: 'between' };
  if (session.step.state === 'began') return { kind: 'work' };
  const call = callsOf(rows, session.step.id).find((candidate) => !isEnded(candidate));
  return call ? callGate(rows, call) : { kind: 'between' };
}

/** What a call that has not ended waits for. */
export function callGate(rows: RowStore, call: EffectRow): Gate {
  if (call.state === 'started') return call.until === null ? { kind: 'work' } : { kind: 'sleep', call };
  const asks = call.prompt !== null && rows.get(prompts, call.prompt)?.state === 'open';
  return asks ? { kind: 'person', call } : { kind: 'work' };
}

/** Wall ms at which the earliest pending text falls due; with `direct` only an owner's direct message counts. */
export function earliestText(rows: RowStore, session: SessionRecord, direct: boolean): number | null {
  if (session.pendingTexts === 0) return null;
  const eq = { session: session.id, state: 'pending' as const, text: true, ...(direct ? { direct } : {}) };
  const [first] = rows.find(wakes, { eq, order: { by: 'availableAt' }, limit: 1, via: 'wakes_due' });
  return first?.availableAt ?? null;
}

/** True when the session takes no new step but for an owner's direct message. */
export function isPaused(source: RunSource, session: SessionRecord): boolean {
  return session.paused || source.pausedAll;
}

/** From when the session may run (null: nothing lets it), and the alarm its turn waits for. */
export function runTimes(
  source: RunSource,
  session: SessionRecord,
): Pick<SessionRecord, 'runAt' | 'sleepingUntil'> {
  const gate = gateOf(source.rows, session);
  const sleepingUntil = gate.kind === 'sleep' ? gate.call.until : null;
  if (session.archivedAt !== null || session.parked) return { runAt: null, sleepingUntil };
  const direct = isPaused(source, session) && session.turnFacts?.byOwner !== true;
  switch (gate.kind) {
    case 'person':
      return { runAt: null, sleepingUntil };
    case 'work':
      return { runAt: sinceWhen(source, session), sleepingUntil };
    case 'between':
      return {
        runAt: direct ? earliestText(source.rows, session, true) : sinceWhen(source, session),
        sleepingUntil,
      };
    case 'sleep':
      return {
        runAt: earlier(direct ? null : sleepingUntil, earliestText(source.rows, session, direct)),
        sleepingUntil,
      };
    case 'none':
      return { runAt: earliestText(source.rows, session, direct), sleepingUntil };
    default:
      return assertNever(gate, 'gate');
  }
}

function sinceWhen(source: RunSource, session: SessionRecord): number {
  return session.runAt !== null && session.runAt <= source.now
    ? session.runAt
    : storedDue(source.now, source.now);
}

function earlier(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
