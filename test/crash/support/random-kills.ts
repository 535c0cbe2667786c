import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { Kairos } from '../../support/real/kairos.ts';
import { killNow } from '../../support/real/processes.ts';
import { waitFor } from '../../support/real/wait-for.ts';
import { PatientClient } from './client.ts';
import type { Findings } from './evidence.ts';
import { gather } from './gather.ts';
import { Keeper } from './keeper.ts';
import { judge } from './oracle.ts';
import { type Random, seededRandom } from './seeded-random.ts';
import { keepTalking } from './talk.ts';

/** What to do; the same seed picks the same victims, pauses and texts (the operating system's timing is its own). */
export interface KillPlan {
  readonly seed: number;
  readonly kills: number;
  readonly sessions: number;
}

/** What came of it. */
export interface KillReport extends Findings {
  readonly kills: { readonly worker: number; readonly daemon: number; readonly supervisor: number };
  /** Longest time from the death of a supervisor until nothing of it lived, ms. */
  readonly longestGoneMs: number;
}

type Role = 'worker' | 'daemon' | 'supervisor';

/** Few more deaths of the daemon within a minute and the supervisor would rightly take it for a crash loop. */
const mostDaemonKills = 3;

/** Kills processes at random instants while messages flow into several sessions and a person answers; then judges. */
export async function killAtRandom({ seed, kills, sessions }: KillPlan): Promise<KillReport> {
  const kairos = new Kairos({ dist: 'dist-crash', settings: { sessions: { hibernateAfterSeconds: 0.3 } } });
  const client = new PatientClient(kairos);
  const keeper = new Keeper(kairos);
  const random = seededRandom(seed);
  const ledger = join(kairos.base, 'ledger');
  const over = new AbortController();
  try {
    await keeper.start();
    keeper.keep();
    client.answerPrompts();
    const talking = Array.from({ length: sessions }, (_, index) =>
      keepTalking({ client, index, ledger, random: seededRandom(seed * 1000 + index), signal: over.signal }),
    );
    // Whoever fails first ends the run; the others are waited for either way.
    const killing = kill(kairos, keeper, random, kills).finally(() => over.abort());
    const [counts] = await Promise.all([killing, ...talking]);
    await keeper.stop();
    await client.stop();
    await kairos.cli(['daemon', 'stop']);
    await kairos.nothingLeft();
    await keeper.start();
    const evidence = await gather(kairos, client, ledger, join(kairos.base, 'none'));
    const findings = judge({ ...evidence, parkingAllowed: ['crash_loop'] });
    return { ...findings, kills: counts, longestGoneMs: Math.round(keeper.longestGoneMs) };
  } finally {
    over.abort();
    await keeper.stop().catch(() => undefined);
    await client.stop().catch(() => undefined);
    await kairos.dispose();
  }
}

async function kill(
  kairos: Kairos,
  keeper: Keeper,
  random: Random,
  kills: number,
): Promise<KillReport['kills']> {
  const counts = { worker: 0, daemon: 0, supervisor: 0 };
  let daemonKills = 0;
  let starts = keeper.starts;
  for (let done = 0; done < kills; ) {
    // Half of the time something is let come to work before the next blow, or nothing would ever get done.
    if (random.below(2) === 0)
      await waitFor(() => kairos.processes('worker').length > 0, { what: 'a worker' });
    await delay(random.between(20, 500));
    if (keeper.starts !== starts) {
      starts = keeper.starts;
      daemonKills = 0;
    }
    const role = pickRole(random, daemonKills);
    const victims = kairos.processes(role);
    const victim = victims[random.below(victims.length)];
    if (victim === undefined || !killNow(victim.pid)) continue;
    done += 1;
    counts[role] += 1;
    if (role === 'daemon') daemonKills += 1;
  }
  return counts;
}

function pickRole(random: Random, daemonKills: number): Role {
  const dice = random.below(100);
  if (dice < 55) return 'worker';
  if (dice < 85) return daemonKills < mostDaemonKills ? 'daemon' : 'supervisor';
  return 'supervisor';
}

/** One line for people. */
export function reportLine({
  kills,
  messages,
  lost,
  doubled,
  unknown,
  calls,
  longestGoneMs,
}: KillReport): string {
  const total = kills.worker + kills.daemon + kills.supervisor;
  return (
    `${total} kills (worker ${kills.worker}, daemon ${kills.daemon}, supervisor ${kills.supervisor}), ${messages} messages, ` +
    `${calls} calls: lost ${lost}, doubled ${doubled}, unknown ${unknown}; all gone within ${longestGoneMs} ms of a supervisor's death`
  );
}
