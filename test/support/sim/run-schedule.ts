import { judge } from './oracle/judge.ts';
import { finish } from './finish.ts';
import { passTime, runSteps } from './pass-time.ts';
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
