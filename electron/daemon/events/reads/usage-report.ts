import type { Usage } from '../../../../shared/domain/messages.ts';
import type { UsageGroup, UsageSum } from '../usage-port.ts';
import type { UsageRow } from '../rows.ts';
import { usage } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';

/** Sums of one group while they are made. */
export type Sums = Map<string, UsageSum>;

const names = [
  'session',
  'model',
  'cause',
  'day',
  'purpose',
  'settled',
  'tokens',
  'microUsd',
  'detail',
] as const;
type Row = Pick<UsageRow, (typeof names)[number]>;

/** Adds the requests of one local day to the sums. */
export function addDay(
  rows: RowStore,
  sums: Sums,
  day: string,
  { by, session }: { by: UsageGroup; session?: string },
): void {
  const eq = session === undefined ? { day } : { day, session };
  for (const row of rows.pick(usage, names, { eq, via: 'usage_day' })) {
    const key = row[by];
    sums.set(key, plus(sums.get(key) ?? empty(key), row));
  }
}

/** Days in their order, everything else the dearest first (by money, then by tokens). */
export function inOrder(sums: Sums, by: UsageGroup): UsageSum[] {
  const all = [...sums.values()];
  if (by === 'day') return all;
  return all.sort((left, right) => money(right) - money(left) || tokens(right) - tokens(left));
}

function empty(key: string): UsageSum {
  return {
    key,
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    microUsd: 0,
    reservedTokens: 0,
    reservedMicroUsd: 0,
    unpaid: {},
  };
}

/** What was reserved and never told counts apart: nobody knows what it was. */
function plus(sum: UsageSum, row: Row): UsageSum {
  const requests = sum.requests + 1;
  const { detail } = row;
  if (detail === null) {
    const reservedTokens = sum.reservedTokens + row.tokens;
    return { ...sum, requests, reservedTokens, reservedMicroUsd: sum.reservedMicroUsd + row.microUsd };
  }
  const add = (name: Exclude<keyof Usage, 'microUsd' | 'estimated'>): number => sum[name] + detail[name];
  return {
    ...sum,
    requests,
    inputTokens: add('inputTokens'),
    outputTokens: add('outputTokens'),
    cacheReadTokens: add('cacheReadTokens'),
    cacheWriteTokens: add('cacheWriteTokens'),
    microUsd: sum.microUsd + row.microUsd,
    unpaid: row.tokens > 0 && row.microUsd === 0 ? oneMore(sum.unpaid, row.model) : sum.unpaid,
  };
}

function oneMore(counts: UsageSum['unpaid'], model: string): UsageSum['unpaid'] {
  return { ...counts, [model]: (counts[model] ?? 0) + 1 };
}

const money = (sum: UsageSum): number => sum.microUsd + sum.reservedMicroUsd;
const tokens = (sum: UsageSum): number =>
  sum.inputTokens + sum.outputTokens + sum.cacheReadTokens + sum.cacheWriteTokens + sum.reservedTokens;

/** Tokens of the session's newest step as the provider counted them, its answer included; 0 when none was told. */
export function lastContextTokens(rows: RowStore, session: string): number {
  const newest = rows.pick(usage, ['detail', 'purpose'], {
    eq: { session },
    order: 'newest',
    limit: 8,
    via: 'usage_session',
  });
  const detail = newest.find((row) => row.purpose === 'step' && row.detail !== null)?.detail;
  if (!detail) return 0;
  return detail.inputTokens + detail.cacheReadTokens + detail.cacheWriteTokens + detail.outputTokens;
}
