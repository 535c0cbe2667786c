import type { World } from './world.ts';

/** Time that may pass by itself while the scheduler runs, in virtual ms. */
const slack = 200;
/** More steps than this for one passing of time are a daemon that spins. */
const mostSteps = 30_000;

/** Runs some steps of the scheduler; little time passes. */
export async function runSteps(world: World, steps: number): Promise<void> {
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
