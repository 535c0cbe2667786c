import { parseArgs } from 'node:util';
import { makePlan } from '../support/sim/make-plan.ts';
import { minimise } from '../support/sim/minimise.ts';
import type { Plan } from '../support/sim/plan.ts';
import { runSchedule } from '../support/sim/run-schedule.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const broken: string[] = [];
process.on('unhandledRejection', (error) => broken.push(`unhandled rejection: ${String(error)}`));

/** Violations of one schedule, with the promises that nobody caught. */
async function run(plan: Plan, trace: ((line: string) => void) | null = null): Promise<readonly string[]> {
  broken.length = 0;
  const { violations } = await runSchedule(plan, { trace });
  return [...broken, ...violations];
}

async function replay(seed: number): Promise<number> {
  const plan = makePlan(seed);
  const violations = await run(plan, values.trace ? say : null);
  if (violations.length === 0) {
    say(`seed ${seed}: ${plan.actions.length} actions, nothing found`);
    return 0;
  }
  say(`seed ${seed}: ${violations.length} violations`);
  for (const violation of violations) say(`  ${violation}`);
  const small = values.keep ? plan : await minimise(plan, violations, run);
  say(`the fewest actions that still do it (${small.actions.length} of ${plan.actions.length}):`);
  for (const action of small.actions) say(`  ${JSON.stringify(action)}`);
  for (const violation of await run(small, say)) say(`  ${violation}`);
  return 1;
}

async function search(count: number): Promise<number> {
  const started = performance.now();
  const from = Number(values.from);
  for (let seed = from; seed < from + count; seed += 1) {
    const violations = await run(makePlan(seed));
    if (violations.length === 0) continue;
    say(`seed ${seed}: ${violations[0]}`);
    say(`replay: npm run simulate -- --seed ${seed} --trace`);
    return replay(seed);
  }
  const seconds = (performance.now() - started) / 1000;
  say(`simulation: ${count} schedules, no violation, ${(count / seconds).toFixed(0)} schedules/s`);
  return 0;
}

process.exitCode = values.seed === undefined ? await search(Number(values.schedules)) : await replay(Number(values.seed));
