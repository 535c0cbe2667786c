import { describe, expect, it } from 'vitest';
import { budgetRefusal, formatUsd, raiseCommand, reservationFor } from '../../../shared/domain/budget.ts';

const limits = { dayMicroUsd: 5_000_000, sessionDayTokens: 1000 };
const spent = { dayMicroUsd: 0, sessionDayTokens: 0 };
const all = { ...limits, sessionMicroUsd: 2_000_000, totalMicroUsd: 9_000_000 };

describe('a step may begin', () => {
  it.each([
    ['when nothing was spent', limits, spent, { tokens: 10, microUsd: 10 }],
    ['up to the limit itself', limits, spent, { tokens: 1000, microUsd: 5_000_000 }],
    ['up to every limit', all, { ...spent, totalMicroUsd: 7_000_000 }, { tokens: 0, microUsd: 2_000_000 }],
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
      'kairos usage raise 5',
    ],
    [
      'past the tokens of the session',
      { ...spent, sessionDayTokens: 999 },
      { tokens: 2, microUsd: 0 },
      /limit of 1000 tokens.*999 used/,
      'kairos usage raise 1000 --tokens --session shop',
    ],
    [
      'with a request dearer than the limit and all that is proposed',
      spent,
      { tokens: 0, microUsd: 12_500_000 },
      /day's limit/,
      'kairos usage raise 8',
    ],
    [
      'past the money of the session',
      { ...spent, sessionMicroUsd: 1_999_999 },
      { tokens: 0, microUsd: 10 },
      /this session's limit of \$2\.00/,
      'kairos usage raise 2 --session shop',
    ],
    [
      'past the money of all time',
      { ...spent, totalMicroUsd: 8_999_999 },
      { tokens: 0, microUsd: 10 },
      /limit over all time of \$9\.00/,
      'kairos usage raise 9 --total',
    ],
  ])('%s, and the command that raises it is enough', (_title, used, wanted, reason, command) => {
    const refusal = budgetRefusal(all, used, wanted);
    expect(refusal?.reason).toMatch(reason);
    expect(refusal && raiseCommand(refusal, 'shop')).toBe(command);
    const by = (refusal?.raiseBy ?? 0) * (refusal?.limit === 'tokens' ? 1 : 1_000_000);
    const member = {
      day: 'dayMicroUsd',
      tokens: 'sessionDayTokens',
      session: 'sessionMicroUsd',
      total: 'totalMicroUsd',
    } as const;
    const name = member[refusal?.limit ?? 'day'];
    const raised = { ...limits, [name]: all[name] + by };
    expect(budgetRefusal(raised, used, wanted)).toBeNull();
  });
});

describe('a reservation', () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

  it.each([
    [
      'is the whole context at the input price and the longest answer',
      { wire: 'openai', price },
      { tokens: 1100, microUsd: 4500 },
    ],
    [
      'counts only tokens where the price is not known',
      { wire: 'openai', price: null },
      { tokens: 1100, microUsd: 0 },
    ],
    ['is nothing for the offline engine', { wire: 'offline', price: null }, { tokens: 0, microUsd: 0 }],
  ] as const)('%s', (_title, choice, expected) => {
    expect(reservationFor(choice, 1000, 100)).toEqual(expected);
  });
});

it('shows small sums of money with more digits', () => {
  expect([0, 12_345, 99_999, 100_000, 5_000_000].map(formatUsd)).toEqual([
    '$0.00',
    '$0.0123',
    '$0.1000',
    '$0.10',
    '$5.00',
  ]);
});
