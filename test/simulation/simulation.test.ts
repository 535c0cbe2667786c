import { expect, it } from 'vitest';
import { describeFinding, search } from '../support/sim/search.ts';

const budgetMs = 40_000;
const schedules = 1_500;

it('no seeded schedule of messages, crashes, verdicts, faults and clock jumps breaks a promise', async () => {
  const started = performance.now();
  const { finding, ran } = await search({
    from: 1,
    count: schedules,
    goOn: () => performance.now() - started < budgetMs,
  });
  expect(finding === null ? 'no promise broken' : await describeFinding(finding)).toBe('no promise broken');
  expect(ran).toBeGreaterThanOrEqual(100);
});
