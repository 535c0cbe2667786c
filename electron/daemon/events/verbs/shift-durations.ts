import { effects, prompts, sessions, wakes } from '../rows/tables.ts';
import { nextMidnight } from './local-days.ts';
import { setMeta } from './pauses.ts';
import type { Tx } from './tx.ts';

/** Written by this clock already: a row of that age needs no moving. */
const slackMs = 1_000;

/** Where it is stored how the wall clock stands to the time since boot. */
export const clockSettingKey = 'clock_setting';

/** How the wall clock was set. */
export interface ClockShift {
  readonly ms: number;
  /** Within so many ms before now; null: while nothing was written, so that everything stored is older. */
  readonly withinMs: number | null;
  /** Stored with it, so that a restart does not move anything a second time; null: not known. */
  readonly setting: string | null;
}

/**
 * The wall clock was set (not: the machine slept): what was meant as a duration keeps its length. Moves alarms of sleeping calls,
 * expiries of open prompts and back-off of deliveries; instants that people named stay, and so does what was written since the
 * clock was set. Who waits for the end of a day waits for that of the day it is now.
 */
export function shiftDurations(tx: Tx, { ms, withinMs, setting }: ClockShift): void {
  const isOld = (writtenAt: number): boolean =>
    withinMs === null || writtenAt < tx.now - withinMs - slackMs || writtenAt > tx.now + slackMs;
  for (const call of tx.rows.find(effects, { eq: { kind: 'call', state: 'started' }, notNull: ['until'] })) {
    if (!isOld(call.updatedAt)) continue;
    tx.rows.update(effects, [call.id], { until: (call.until ?? 0) + ms, updatedAt: call.updatedAt + ms });
    tx.anySession(call.session);
  }
  for (const wake of tx.rows.find(wakes, { eq: { kind: 'timer', state: 'pending' } })) {
    if (isOld(wake.createdAt)) tx.rows.update(wakes, [wake.id], { availableAt: wake.availableAt + ms });
  }
  for (const prompt of tx.rows.find(prompts, { eq: { state: 'open' } })) {
    if (!isOld(prompt.createdAt)) continue;
    tx.rows.update(prompts, [prompt.id], { expiresAt: prompt.expiresAt + ms });
    tx.promptChanged(prompt.id);
  }
  for (const effect of tx.rows.find(effects, { eq: { state: 'planned' }, notNull: ['until'] })) {
    if (isOld(effect.updatedAt)) tx.rows.update(effects, [effect.id], { until: (effect.until ?? 0) + ms });
  }
  for (const { id, parked } of tx.rows.find(sessions, { notNull: ['parked'], isNull: ['archivedAt'] })) {
    const until = nextMidnight(tx.now);
    if (parked?.until !== undefined && parked.until > until)
      tx.session(id).set({ parked: { ...parked, until } });
  }
  if (setting !== null) setMeta(tx, clockSettingKey, setting);
  tx.workChanged();
}
