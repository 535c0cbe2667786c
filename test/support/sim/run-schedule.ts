import { judge } from './oracle/judge.ts';
import { finish } from './finish.ts';
import { perform } from './perform.ts';
import { continuations } from './scheduler.ts';
import type { Plan } from './plan.ts';
import { type Sabotage, World } from './world.ts';

/** What came of a schedule. */
export interface Outcome {
  readonly violations: readonly string[];
  readonly steps: number;
  readonly events: number;
}

/** Time that may pass by itself while the scheduler runs, in virtual ms. */
const slack = 200;
/** More steps than this for one passing of time are a daemon that spins. */
const mostSteps = 30_000;

/** Runs one schedule to its end and judges it. */
export async function runSchedule(
  plan: Plan,
  options: { trace?: ((line: string) => void) | null; sabotage?: Sabotage } = {},
): Promise<Outcome> {
  const world = new World(plan, options);
  world.boot();
  await continuations();
  for (const action of plan.actions) {
    await runSteps(world, action.steps);
    world.trace?.(`t=${world.time.mono} ACTION ${JSON.stringify(action)}`);
    perform(world, action);
    await continuations();
    if (action.do === 'pass') await passTime(world, action.ms);
  }
  await runSteps(world, 50);
  await finish(world);
  return {
    violations: await judge(world),
    steps: world.scheduler.steps,
    events: (await world.daemon?.store.health())?.events ?? 0,
  };
}

async function runSteps(world: World, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    if (!(await world.scheduler.step(world.time.mono + slack))) return;
  }
}

/** Lets monotonic time pass, with everything that happens meanwhile. */
export async function passTime(world: World, ms: number): Promise<void> {
  const until = world.time.mono + ms;
  for (let step = 0; await world.scheduler.step(until); step += 1) {
    if (step < mostSteps + ms / 100) continue;
    world.ledgers.alarms.push(`the daemon spins: more than ${mostSteps} steps in ${ms} ms`);
    return;
  }
  world.time.mono = Math.max(world.time.mono, until);
}
