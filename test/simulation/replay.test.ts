import { expect, it } from 'vitest';
import { makePlan } from '../support/sim/make-plan.ts';
import { violationsOf } from '../support/sim/search.ts';

async function traceOf(seed: number): Promise<readonly string[]> {
  const lines: string[] = [];
  await violationsOf(makePlan(seed), { trace: (line) => void lines.push(line) });
  return lines;
}

it.each([3, 61, 210])('seed %i does the same again, step by step', async (seed) => {
  const first = await traceOf(seed);
  expect(first.length).toBeGreaterThan(20);
  expect(await traceOf(seed)).toEqual(first);
});
