import * as z from 'zod/mini';

/** What one step may cost at most; reserved before the request, settled by its reply. Money in millionths of a US dollar. */
export const reservationSchema = z.object({ tokens: z.number(), microUsd: z.number() });
export type Reservation = z.infer<typeof reservationSchema>;
/** The reservation of a step that costs nothing. */
export const noReservation: Reservation = { tokens: 0, microUsd: 0 };

/** Caps; null = none. Day = the host's local calendar day. */
export interface BudgetLimits {
  readonly dayMicroUsd: number | null;
  readonly sessionDayTokens: number | null;
}

/** What was spent or reserved and not settled so far. */
export interface BudgetSpent {
  readonly dayMicroUsd: number;
  readonly sessionDayTokens: number;
}

/** Why a step may not begin, or null when it may. */
export function budgetRefusal(limits: BudgetLimits, spent: BudgetSpent, wanted: Reservation): string | null {
  if (
    limits.dayMicroUsd !== null &&
    wanted.microUsd > 0 &&
    spent.dayMicroUsd + wanted.microUsd > limits.dayMicroUsd
  ) {
    return `The day's limit of ${formatUsd(limits.dayMicroUsd)} would be passed (${formatUsd(spent.dayMicroUsd)} spent or reserved).`;
  }
  if (
    limits.sessionDayTokens !== null &&
    wanted.tokens > 0 &&
    spent.sessionDayTokens + wanted.tokens > limits.sessionDayTokens
  ) {
    return `This session's limit of ${limits.sessionDayTokens} tokens a day would be passed (${spent.sessionDayTokens} used or reserved).`;
  }
  return null;
}

function formatUsd(micro: number): string {
  return `$${(micro / 1_000_000).toFixed(2)}`;
}
