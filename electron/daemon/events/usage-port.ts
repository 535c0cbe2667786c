import type { BudgetLimits, BudgetName, Reservation } from '../../../shared/domain/budget.ts';
import type { Usage } from '../../../shared/domain/messages.ts';
import type { UsagePurpose } from './rows.ts';

/** A request beside the conversation that is about to be made; `model`: its `ref`. */
export interface NewSide {
  readonly session: string;
  readonly purpose: Exclude<UsagePurpose, 'step'>;
  readonly model: string;
  readonly reservation: Reservation;
  readonly limits: BudgetLimits;
}

/** A limit to be raised: money in millionths of a US dollar, or tokens. `most`: the settings' limit, null when there is none. */
export interface BudgetRaise {
  readonly limit: BudgetName;
  /** Needed for `session` and `tokens`. */
  readonly session: string | null;
  readonly by: number;
  readonly most: number | null;
  /** Whoever asks again under the same one gets what the first did; nothing is raised twice. */
  readonly uuid?: string;
}

/** What a raise did: the limit as it is now, and the sessions that go on. */
export interface Raised {
  readonly most: number;
  readonly unparked: readonly string[];
}

/** What usage is grouped by. */
export type UsageGroup = 'day' | 'session' | 'model' | 'cause' | 'purpose';

/** Sums of one group. `inputTokens` holds no cached ones; `reservedMicroUsd` and `reservedTokens`: of requests whose cost is not known (yet). */
export interface UsageSum {
  readonly key: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly microUsd: number;
  readonly reservedTokens: number;
  readonly reservedMicroUsd: number;
  /** Requests that took tokens and cost nothing, by model: no price was known, or it was zero. */
  readonly unpaid: Readonly<Record<string, number>>;
}

/** Limits as raised, and what counts towards them. */
export interface BudgetState {
  readonly day: string;
  readonly limits: BudgetLimits;
  readonly spent: { readonly dayMicroUsd: number; readonly totalMicroUsd: number };
}

/** What the store knows of tokens and money; its verbs commit like those of `Store`. */
export interface UsageStore {
  /** Reserves a request beside the conversation, or says why it must not be made. Never parks. */
  beginSide(input: NewSide): Promise<{ readonly id: string } | { readonly refused: string }>;
  /** Settles it; with null what was reserved counts as spent. A second time changes nothing. */
  endSide(session: string, id: string, usage: Usage | null): Promise<void>;
  /** Raises a limit (the day's ones for today) and takes up what it had stopped, in one commit. */
  raiseBudget(input: BudgetRaise): Promise<Raised>;
  usageToday(): Promise<{ microUsd: number; tokens: number }>;
  /** Sums since a local day (`YYYY-MM-DD`, at most 366 days back), days in order, else the dearest first. */
  usageReport(input: { sinceDay: string; by: UsageGroup; session?: string }): Promise<readonly UsageSum[]>;
  /** `limits` with what people raised them by. */
  budgetState(limits: BudgetLimits): Promise<BudgetState>;
  /** Tokens of the session's newest request as the provider counted them; 0 when there was none. */
  lastContextTokens(session: string): Promise<number>;
}
