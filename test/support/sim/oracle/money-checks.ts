import { localDay } from '../../../../electron/daemon/events/verbs/local-days.ts';
import type { StoredEvent } from '../../../../shared/domain/events.ts';
import type { Facts, Violation } from './facts.ts';

/** What models billed is never forgotten nor counted twice, and no step begins that a limit forbids. */
export function checkMoney(facts: Facts): Violation[] {
  return [...checkBills(facts), ...checkLimits(facts)];
}

function checkBills({ plan, ledgers, usage, spent, of }: Facts): Violation[] {
  const billed = sum(ledgers.bills.map(({ microUsd }) => microUsd));
  const known = sum(usage.map(({ microUsd }) => microUsd));
  const reserved = sum(usage.map(({ reservedMicroUsd }) => reservedMicroUsd));
  const requests = sum(usage.map((each) => each.requests));
  const replied = sum(of('step.replied').map(({ body }) => body.usage.microUsd));
  const found: Violation[] = [];
  if (spent < billed) found.push(`models billed ${billed}, only ${spent} count as spent`);
  // Reports end with today: after a clock was set back there may be bills of days that are to come.
  if (plan.actions.some((action) => action.do === 'jump' && action.ms < 0)) return found;
  if (known > billed) found.push(`models billed ${billed}, ${known} count as their bills`);
  if (known < replied) found.push(`stored replies cost ${replied}, usage knows of ${known}`);
  if (spent !== known + reserved)
    found.push(`${spent} were spent, usage has ${known} and ${reserved} reserved`);
  if (requests < ledgers.bills.length)
    found.push(`models answered ${ledgers.bills.length} times, usage knows of ${requests} requests`);
  return found;
}

/** What is known to be spent on a day: over all, and of each session in tokens. */
class Day {
  readonly name: string;
  microUsd = 0;
  readonly tokens = new Map<string, number>();

  constructor(name: string) {
    this.name = name;
  }
}

/** Follows the log: with what its day had cost by then and its reservation, no step passes the limit. */
function checkLimits(facts: Facts): Violation[] {
  const days = new Map<string, Day>();
  const dayOf = new Map<string, Day>();
  const found: Violation[] = [];
  for (const event of facts.all) {
    const name = localDay(event.at);
    const day = days.get(name) ?? new Day(name);
    days.set(name, day);
    if (event.type === 'step.began') {
      dayOf.set(event.body.step, day);
      found.push(...checkStep(facts, event, day));
    }
    if (event.type !== 'step.replied') continue;
    // A step counts on the day on which it began.
    const own = dayOf.get(event.body.step) ?? day;
    const { inputTokens, outputTokens, microUsd } = event.body.usage;
    own.microUsd += microUsd;
    own.tokens.set(event.session, (own.tokens.get(event.session) ?? 0) + inputTokens + outputTokens);
  }
  return found;
}

function checkStep(
  facts: Facts,
  { session, body: { step, reservation } }: Extract<StoredEvent, { type: 'step.began' }>,
  day: Day,
): Violation[] {
  const { dayUsd, sessionDayTokens } = facts.plan.budgets;
  const found: Violation[] = [];
  const money = day.microUsd + reservation.microUsd;
  const mostMoney = dayUsd === null ? null : Math.round(dayUsd * 1_000_000) + raised(facts, day.name, null);
  if (mostMoney !== null && reservation.microUsd > 0 && money > mostMoney)
    found.push(`step ${step} passed the limit of its day: ${money} of ${mostMoney}`);
  const tokens = (day.tokens.get(session) ?? 0) + reservation.tokens;
  const mostTokens = sessionDayTokens === null ? null : sessionDayTokens + raised(facts, day.name, session);
  if (mostTokens !== null && reservation.tokens > 0 && tokens > mostTokens)
    found.push(`step ${step} passed the tokens of its session's day: ${tokens} of ${mostTokens}`);
  return found;
}

/** By how much the limit of a day may have been raised, acknowledged or not. */
function raised({ ledgers }: Facts, day: string, session: string | null): number {
  const may = ledgers.raises.filter(
    (each) => each.session === session && (each.asked === day || each.done === day || each.done === null),
  );
  return sum(may.map(({ by }) => by));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
