import { afterAll, describe, expect, it } from 'vitest';
import { jailProblem } from './oracle/jail.ts';
import { makeWorld, removeWorld } from './oracle/world.ts';
import { sabotagedDeciders } from './policy/product-decider.ts';
import { sabotages } from './policy/sabotages.ts';
import { fuzz } from './search.ts';

const problem = jailProblem();
if (problem !== null) process.stdout.write(`skipped: faults for the fuzz to find (${problem})\n`);

const world = problem === null ? makeWorld() : null;
afterAll(() => world && removeWorld(world));

/** Commands within which a fault has to be noticed. */
const count = 4_000;

describe.skipIf(world === null)('The fuzz finds it when', () => {
  const decidersOf = world && sabotagedDeciders(world);
  it.each(sabotages)(
    '$title',
    async (sabotage) => {
      if (world === null || decidersOf === null) return;
      const decide = decidersOf(sabotage);
      const { findings } = await fuzz({ seed: 1, count, world, decide, untilFound: true, batch: 40 });
      expect(findings.length).toBeGreaterThan(0);
    },
    120_000,
  );
});
