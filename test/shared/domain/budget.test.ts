import { describe, expect, it } from 'vitest';
import { budgetRefusal } from '../../../shared/domain/budget.ts';

const limits = { dayMicroUsd: 5_000_000, sessionDayTokens: 1000 };
const spent = { dayMicroUsd: 0, sessionDayTokens: 0 };

describe('a step may begin', () => {
  it.each([
    ['when nothing was spent', limits, spent, { tokens: 10, microUsd: 10 }],
    ['up to the limit itself', limits, spent, { tokens: 1000, microUsd: 5_000_000 }],
    [
      'without limits',
      { dayMicroUsd: null, sessionDayTokens: null },
      { dayMicroUsd: 9e9, sessionDayTokens: 9e9 },
      { tokens: 1, microUsd: 1 },
    ],
    [
      'for nothing even when all is spent',
      limits,
      { dayMicroUsd: 9e9, sessionDayTokens: 9e9 },
      { tokens: 0, microUsd: 0 },
    ],
  ])('%s', (_title, given, used, wanted) => {
    expect(budgetRefusal(given, used, wanted)).toBeNull();
  });
});

describe('a step may not begin', () => {
  it.each([
    [
      'past the money of the day',
      { ...spent, dayMicroUsd: 4_999_999 },
      { tokens: 0, microUsd: 2 },
      /day's limit of \$5\.00.*\$5\.00 spent/,
    ],
    [
      'past the tokens of the session',
      { ...spent, sessionDayTokens: 999 },
      { tokens: 2, microUsd: 0 },
      /limit of 1000 tokens.*999 used/,
    ],
    ['with a limit of nothing', spent, { tokens: 0, microUsd: 5_000_001 }, /day's limit/],
  ])('%s', (_title, used, wanted, reason) => {
    expect(budgetRefusal(limits, used, wanted)?.reason).toMatch(reason);
  });
});
