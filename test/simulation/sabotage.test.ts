import { describe, expect, it } from 'vitest';
import { search } from '../support/sim/search.ts';
import { sabotages } from '../support/sim/sabotages.ts';

/** Schedules within which a deliberate fault has to be noticed. */
const schedules = 400;

describe('the oracle notices', () => {
  it.each(sabotages)('$title', async ({ sabotage, notices }) => {
    const { finding } = await search({ from: 1, count: schedules, sabotage });
    expect(finding?.violations.join('\n')).toMatch(notices);
  });
});
