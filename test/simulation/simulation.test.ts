import { describe, expect, it } from 'vitest';
import { describeFinding, search } from '../support/sim/search.ts';

/** At a desk a short look is enough; CI takes all 10,000, however long it takes. */
const isCi = !['', '0', 'false'].includes(process.env.CI ?? '');
const parts = isCi ? 10 : 1;
const schedules = isCi ? 1_000 : 1_500;
const budgetMs = isCi ? Number.POSITIVE_INFINITY : 40_000;
const least = isCi ? schedules : 100;

describe('no seeded schedule of messages, crashes, verdicts, faults and clock jumps breaks a promise', () => {
  it.each(Array.from({ length: parts }, (_, part) => 1 + part * schedules))(
    'from seed %d',
    async (from) => {
      const started = performance.now();
      const { finding, ran } = await search({
        from,
        count: schedules,
        goOn: () => performance.now() - started < budgetMs,
      });
      expect(finding === null ? 'no promise broken' : await describeFinding(finding)).toBe(
        'no promise broken',
      );
      expect(ran).toBeGreaterThanOrEqual(least);
    },
    5 * 60_000,
  );
});
