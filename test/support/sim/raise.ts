import { localDay } from '../../../electron/daemon/events/verbs/local-days.ts';
import type { SessionRow } from '../../../electron/daemon/events/rows.ts';
import type { Raise } from './ledgers.ts';
import type { Daemon, World } from './world.ts';

/** In dollars, and in tokens: enough for a request or two. */
const steps = { day: 0.1, tokens: 800 } as const;

/** Somebody raises a limit; where there is none, nobody does. */
export async function raise(
  world: World,
  daemon: Daemon,
  name: string,
  limit: Raise['limit'],
): Promise<void> {
  const session = await daemon.store.session(name);
  await raiseBy(world, daemon, limit, session, steps[limit]);
}

/** What a session was parked for does not stop it again today. */
export async function raiseForGood(world: World, daemon: Daemon, session: SessionRow): Promise<void> {
  const limit = session.parked?.limit === 'tokens' ? 'tokens' : 'day';
  await raiseBy(world, daemon, limit, session, steps[limit] * 100);
}

async function raiseBy(
  world: World,
  daemon: Daemon,
  limit: Raise['limit'],
  session: SessionRow | null,
  by: number,
): Promise<void> {
  const { dayUsd, sessionDayTokens } = world.plan.budgets;
  if ((limit === 'day' ? dayUsd : sessionDayTokens) === null || session === null) return;
  const own = limit === 'day' ? null : session.id;
  const amount = limit === 'day' ? Math.round(by * 1_000_000) : by;
  const entry: Raise = { limit, session: own, asked: localDay(world.time.wall), done: null, by: amount };
  world.ledgers.raises.push(entry);
  const before = await dayLimit(world, daemon);
  await daemon.core.usage.raiseBudget({ limit, by, ...(own === null ? {} : { session: own }) });
  entry.done = localDay(world.time.wall);
  const after = await dayLimit(world, daemon);
  const sameDay = entry.asked === entry.done && entry.done === localDay(world.time.wall);
  if (limit === 'day' && sameDay && daemon.life.alive && after < before + amount)
    world.ledgers.alarms.push(
      `a raise by ${amount} was acknowledged, the limit went from ${before} to ${after}`,
    );
}

async function dayLimit({ plan }: World, daemon: Daemon): Promise<number> {
  const { dayUsd, sessionDayTokens } = plan.budgets;
  const dayMicroUsd = dayUsd === null ? null : Math.round(dayUsd * 1_000_000);
  return (await daemon.store.budgetState({ dayMicroUsd, sessionDayTokens })).limits.dayMicroUsd ?? 0;
}
