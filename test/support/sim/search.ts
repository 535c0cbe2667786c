import { makePlan } from './make-plan.ts';
import { minimise } from './minimise.ts';
import type { Plan } from './plan.ts';
import { runSchedule } from './run-schedule.ts';
import type { Sabotage } from './world.ts';

/** A schedule that broke a promise. `plan` is the smallest one found. */
export interface Finding {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly plan: Plan;
}

export interface SearchOptions {
  readonly from: number;
  readonly count: number;
  /** False ends the search early. */
  readonly goOn?: () => boolean;
  readonly sabotage?: Sabotage;
}

/** What one schedule did wrong, rejected promises that nobody handled included. */
export async function violationsOf(
  plan: Plan,
  options: { trace?: ((line: string) => void) | null; sabotage?: Sabotage } = {},
): Promise<readonly string[]> {
  const unhandled: string[] = [];
  const note = (error: unknown): void => void unhandled.push(`unhandled rejection: ${String(error)}`);
  process.on('unhandledRejection', note);
  try {
    const { violations } = await runSchedule(plan, options);
    return [...unhandled, ...violations];
  } finally {
    process.off('unhandledRejection', note);
  }
}

/** Runs seed after seed until one breaks a promise; null when none does. `ran` counts schedules. */
export async function search(options: SearchOptions): Promise<{ finding: Finding | null; ran: number }> {
  const { from, count, goOn = () => true, sabotage } = options;
  const spoiled = sabotage ? { sabotage } : {};
  for (let ran = 0; ran < count && goOn(); ran += 1) {
    const plan = makePlan(from + ran);
    const violations = await violationsOf(plan, spoiled);
    if (violations.length > 0) return { finding: { seed: plan.seed, violations, plan }, ran: ran + 1 };
    if (ran + 1 === count || !goOn()) return { finding: null, ran: ran + 1 };
  }
  return { finding: null, ran: 0 };
}

/** The finding as a person reads it: what broke, the fewest actions that do it, and how to see it again. */
export async function describeFinding({ seed, violations, plan }: Finding): Promise<string> {
  const small = await minimise(plan, violations, violationsOf);
  return [
    `seed ${seed}: ${violations.length} violations`,
    ...violations.slice(0, 10).map((violation) => `  ${violation}`),
    `the fewest actions that do it (${small.actions.length} of ${plan.actions.length}):`,
    ...small.actions.map((action) => `  ${JSON.stringify(action)}`),
    `replay: npm run simulate -- --seed ${seed} --trace`,
  ].join('\n');
}
