import * as z from 'zod/mini';
import { assertNever } from '../base/assert-never.ts';
import { costOf, type ModelChoice } from './models.ts';

/** What one step may cost at most; reserved before the request, settled by its reply. Money in millionths of a US dollar. */
export const reservationSchema = z.object({ tokens: z.number(), microUsd: z.number() });
export type Reservation = z.infer<typeof reservationSchema>;
/** The reservation of a step that costs nothing. */
export const noReservation: Reservation = { tokens: 0, microUsd: 0 };

/** The most a request can take: all of its context read anew at the input price, and the longest answer. Without a price only tokens count. */
export function reservationFor(
  choice: Pick<ModelChoice, 'wire' | 'price'>,
  contextTokens: number,
  maxOutputTokens: number,
): Reservation {
  if (choice.wire === 'offline') return noReservation;
  const tokens = { inputTokens: contextTokens, outputTokens: maxOutputTokens };
  const microUsd = costOf({ ...tokens, cacheReadTokens: 0, cacheWriteTokens: 0 }, choice.price);
  return { tokens: Math.ceil(contextTokens + maxOutputTokens), microUsd: Math.ceil(microUsd) };
}

/** Which limit: money of the day, tokens of a session in a day, money of a session, money of everything ever. */
export const budgetNameSchema = z.enum(['day', 'tokens', 'session', 'total']);
export type BudgetName = z.infer<typeof budgetNameSchema>;

/** Caps; null or absent = none. Day = the host's local calendar day; the last two hold for good. */
export interface BudgetLimits {
  readonly dayMicroUsd: number | null;
  readonly sessionDayTokens: number | null;
  readonly sessionMicroUsd?: number | null;
  readonly totalMicroUsd?: number | null;
}

/** What was spent or reserved and not settled so far. */
export interface BudgetSpent {
  readonly dayMicroUsd: number;
  readonly sessionDayTokens: number;
  readonly sessionMicroUsd?: number;
  readonly totalMicroUsd?: number;
}

/** A limit that a request would pass: one sentence, and by how much to raise it (US dollars, or tokens). */
export interface BudgetRefusal {
  readonly limit: BudgetName;
  readonly reason: string;
  readonly raiseBy: number;
}

/** Why a step may not begin, or null when it may. */
export function budgetRefusal(
  limits: BudgetLimits,
  spent: BudgetSpent,
  wanted: Reservation,
): BudgetRefusal | null {
  const money = [
    { limit: 'day', what: "the day's limit", most: limits.dayMicroUsd, used: spent.dayMicroUsd },
    {
      limit: 'session',
      what: "this session's limit",
      most: limits.sessionMicroUsd ?? null,
      used: spent.sessionMicroUsd ?? 0,
    },
    {
      limit: 'total',
      what: 'the limit over all time',
      most: limits.totalMicroUsd ?? null,
      used: spent.totalMicroUsd ?? 0,
    },
  ] as const;
  for (const { limit, what, most, used } of money) {
    if (!isPassed(most, used, wanted.microUsd)) continue;
    const reason = `${what} of ${formatUsd(most)} would be passed (${formatUsd(used)} spent or reserved, the next request may cost ${formatUsd(wanted.microUsd)}).`;
    return { limit, reason, raiseBy: Math.max(1, Math.ceil(most / 1e6), missing(most, used, wanted) / 1e6) };
  }
  const { sessionDayTokens: most } = limits;
  const used = spent.sessionDayTokens;
  if (!isPassed(most, used, wanted.tokens)) return null;
  const reason = `this session's limit of ${most} tokens a day would be passed (${used} used or reserved, the next request may take ${wanted.tokens}).`;
  return { limit: 'tokens', reason, raiseBy: Math.max(1, most, used + wanted.tokens - most) };
}

function isPassed(most: number | null, used: number, wanted: number): most is number {
  return most !== null && wanted > 0 && used + wanted > most;
}

/** Whole dollars, in millionths. */
function missing(most: number, used: number, wanted: Reservation): number {
  return Math.ceil((used + wanted.microUsd - most) / 1e6) * 1e6;
}

/** The command that lets what a limit stopped go on; `session`: its name or id. */
export function raiseCommand({ limit, raiseBy }: BudgetRefusal, session: string): string {
  switch (limit) {
    case 'day':
      return `kairos usage raise ${raiseBy}`;
    case 'total':
      return `kairos usage raise ${raiseBy} --total`;
    case 'session':
      return `kairos usage raise ${raiseBy} --session ${session}`;
    case 'tokens':
      return `kairos usage raise ${raiseBy} --tokens --session ${session}`;
    default:
      return assertNever(limit, 'budget');
  }
}

/** Dollars for people: cents, below ten cents two digits more, below a hundredth of a cent all there are. */
export function formatUsd(micro: number): string {
  const dollars = micro / 1_000_000;
  const digits = dollars <= 0 || dollars >= 0.1 ? 2 : dollars >= 0.0001 ? 4 : 6;
  return `$${dollars.toFixed(digits)}`;
}
