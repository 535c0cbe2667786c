import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { Parked } from '../../../../shared/domain/sessions.ts';
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

const openStates: readonly EffectRow['state'][] = ['planned', 'granted', 'started'];

/** The first call of a step that has no result, in the model's order; no other is read: a reply may have thousands. */
export function firstOpenCall(rows: RowStore, step: string): EffectRow | null {
  const [first] = rows.find(effects, {
    eq: { cause: step, kind: 'call' },
    in: { state: openStates },
    limit: 1,
    via: 'effects_cause',
  });
  return first ?? null;
}

/** What the session's open turn waits for; `none` without a turn. */
function gateOf(rows: RowStore, session: SessionRecord): Gate {
  if (!session.turn) return { kind: 'none' };
  if (!session.step) return { kind: 'between' };
  if (session.step.state === 'began') return { kind: 'work' };
  const call = firstOpenCall(rows, session.step.id);
  return call ? callGate(rows, session, call) : { kind: 'between' };
}

/** What a call that has not ended waits for; one that is to be decided anew waits for nobody meanwhile. */
export function callGate(rows: RowStore, session: Pick<SessionRecord, 'decideAnew'>, call: EffectRow): Gate {
  if (call.state === 'started') return call.until === null ? { kind: 'work' } : { kind: 'sleep', call };
  if (session.decideAnew !== null) return { kind: 'work' };
  const asks = call.prompt !== null && rows.get(prompts, call.prompt)?.state === 'open';
  return asks ? { kind: 'person', call } : { kind: 'work' };
}

/** Which texts count: any, an owner's direct message, or one of those that may join the running turn. */
export type TextChoice = 'any' | 'direct' | 'direct_joining';

/** When the earliest pending text falls due, as it is stored; null when there is none. */
export function earliestText(rows: RowStore, session: SessionRecord, choice: TextChoice): number | null {
  if (session.pendingTexts === 0) return null;
  const eq = {
    session: session.id,
    state: 'pending' as const,
    text: true,
    ...(choice === 'any' ? {} : { direct: true }),
  };
  const joining = choice === 'direct_joining' ? { in: { mode: ['next_step', 'replace'] as const } } : {};
  const [first] = rows.pick(wakes, ['availableAt'], {
    eq,
    ...joining,
    order: { by: 'availableAt' },
    limit: 1,
    via: 'wakes_due',
  });
  return first?.availableAt ?? null;
}

/** Which texts may run or wake a session now: while paused only the owner's, unless the turn is the owner's. */
export function runningTexts(source: RunSource, session: SessionRecord): TextChoice {
  if (!isPaused(source, session) || session.turnFacts?.byOwner === true) return 'any';
  return session.turn ? 'direct_joining' : 'direct';
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
  if (session.archivedAt !== null) return { runAt: null, sleepingUntil };
  if (session.parked) return { runAt: whenUnparked(source, session.parked), sleepingUntil };
  const choice = runningTexts(source, session);
  const text = (): number | null => earliestText(source.rows, session, choice);
  switch (gate.kind) {
    case 'person':
      return { runAt: null, sleepingUntil };
    case 'work':
      return { runAt: sinceWhen(source, session), sleepingUntil };
    case 'between':
      return { runAt: choice === 'any' ? sinceWhen(source, session) : text(), sleepingUntil };
    case 'sleep':
      return { runAt: earlier(choice === 'any' ? sleepingUntil : null, text()), sleepingUntil };
    case 'none':
      return { runAt: text(), sleepingUntil };
    default:
      return assertNever(gate, 'gate');
  }
}

/** A session that is parked until an instant runs then and finds out. */
function whenUnparked({ now }: RunSource, { until }: Parked): number | null {
  return until === undefined ? null : storedDue(until, now);
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
