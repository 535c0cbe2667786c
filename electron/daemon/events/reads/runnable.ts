import { dueInstant } from '../rows/due-time.ts';
import { effects, prompts, sessions, wakes } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';

/** Sessions that may run at `now`, oldest reason first. */
export function runnable(rows: RowStore, now: number): string[] {
  const due = rows.pick(sessions, ['id', 'runAt'], {
    lte: { runAt: now },
    order: { by: 'runAt' },
    via: 'sessions_run',
  });
  return due
    .map(({ id, runAt }) => ({ id, since: dueInstant(runAt ?? 0) }))
    .sort((left, right) => left.since - right.since)
    .map(({ id }) => id);
}

/** Earliest wall ms later than `after` at which something falls due; an open prompt counts also when its time is over. */
export function nextDue(rows: RowStore, after: number): number | null {
  const wake = rows.find(wakes, {
    eq: { state: 'pending' },
    gt: { availableAt: after },
    order: { by: 'availableAt' },
    limit: 1,
    via: 'wakes_time',
  })[0]?.availableAt;
  const prompt = rows.find(prompts, {
    eq: { state: 'open' },
    order: { by: 'expiresAt' },
    limit: 1,
    via: 'prompts_time',
  })[0]?.expiresAt;
  const delivery = rows.find(effects, {
    eq: { state: 'planned' },
    gt: { until: after },
    order: { by: 'until' },
    limit: 1,
    via: 'effects_time',
  })[0]?.until;
  const session = rows.pick(sessions, ['runAt'], {
    gt: { runAt: after },
    order: { by: 'runAt' },
    limit: 1,
    via: 'sessions_run',
  })[0]?.runAt;
  const times = [wake, prompt, delivery, session].filter((time) => time !== undefined && time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** More workers than this are not started early. */
const mostSoon = 32;

/** Sessions with a wake that falls due after `now`, up to `until`. */
export function dueUntil(rows: RowStore, now: number, until: number): string[] {
  const soon = rows.find(wakes, {
    eq: { state: 'pending' },
    gt: { availableAt: now },
    lte: { availableAt: until },
    order: { by: 'availableAt' },
    limit: mostSoon,
    via: 'wakes_time',
  });
  return [...new Set(soon.map((wake) => wake.session))];
}
