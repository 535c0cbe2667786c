import { KairosError } from '../../../shared/base/errors.ts';
import type { BudgetLimits } from '../../../shared/domain/budget.ts';
import type { ModelChoice } from '../../../shared/domain/models.ts';
import type { RaiseAnswer, RaiseBody, UsageAnswer, UsageSumView } from '../../../shared/protocol/bridge.ts';
import type { Store } from '../events/port.ts';
import type { UsageGroup, UsageSum } from '../events/usage-port.ts';
import type { SessionRow } from '../events/rows.ts';
import type { ModelSource } from './model-source.ts';

/** What was asked about usage; `sinceDay` is a local day (`YYYY-MM-DD`), null = today, `session` an id or a name. */
export interface UsageQuery {
  readonly days: number;
  readonly by: UsageGroup;
  readonly session: string | null;
}

/** What people ask and decide about money and tokens. */
export interface UsageCommands {
  usage(query: UsageQuery): Promise<UsageAnswer>;
  /** Rejects with `bad_input` where there is no such limit. */
  raiseBudget(body: RaiseBody): Promise<RaiseAnswer>;
}

/** `limits`: those of the settings. `models`: which are free. */
export interface UsagePorts {
  readonly store: Store;
  readonly models: Pick<ModelSource, 'choice'>;
  readonly limits: BudgetLimits;
}

/** Usage and budgets over the store. */
export function usageCommands({ store, limits, models }: UsagePorts): UsageCommands {
  const found = async (session: string | null | undefined): Promise<SessionRow | null> => {
    if (session === null || session === undefined) return null;
    const row = await store.session(session);
    if (row) return row;
    throw new KairosError('not_found', `There is no session ${session}.`, {
      next: 'List them with: kairos sessions',
    });
  };
  return {
    async usage({ days, by, session }) {
      const row = await found(session);
      const state = await store.budgetState(limits);
      const sinceDay = daysBefore(state.day, days - 1);
      const only = row === null ? {} : { session: row.id };
      const sums = await store.usageReport({ sinceDay, by, ...only });
      const views = sums.map((sum) => view(sum, models));
      return {
        by,
        sinceDay,
        today: state.day,
        session: row?.id ?? null,
        groups: by === 'session' ? await named(store, views) : views,
        limits: {
          dayMicroUsd: state.limits.dayMicroUsd,
          sessionDayTokens: state.limits.sessionDayTokens,
          sessionMicroUsd: row?.budget?.microUsd ?? state.limits.sessionMicroUsd ?? null,
          totalMicroUsd: state.limits.totalMicroUsd ?? null,
        },
        spent: state.spent,
      };
    },
    async raiseBudget({ limit, by, session, uuid }) {
      const row = await found(session);
      if ((limit === 'session' || limit === 'tokens') && row === null) {
        throw new KairosError('bad_input', 'This limit is one of a session.', {
          next: 'Name it with --session.',
        });
      }
      const most = limitOf(limits, limit);
      if (most === null && !(limit === 'session' && row?.budget)) {
        throw new KairosError('bad_input', `${limitWords[limit]} has no limit, so nothing stops for it.`, {
          next: 'See the limits with: kairos usage',
        });
      }
      const whole = limit === 'tokens' ? Math.ceil(by) : Math.round(by * 1_000_000);
      const once = uuid === undefined ? {} : { uuid };
      const raised = await store.raiseBudget({ limit, session: row?.id ?? null, by: whole, most, ...once });
      return { most: raised.most, unparked: [...raised.unparked] };
    },
  };
}

const limitWords = {
  day: 'The day',
  tokens: "The session's day",
  session: 'The session',
  total: 'The total',
};

function limitOf(limits: BudgetLimits, limit: RaiseBody['limit']): number | null {
  const all = {
    day: limits.dayMicroUsd,
    tokens: limits.sessionDayTokens,
    session: limits.sessionMicroUsd ?? null,
    total: limits.totalMicroUsd ?? null,
  };
  return all[limit];
}

/** A calendar day, so many days earlier; noon keeps clear of changes of the clock. */
function daysBefore(day: string, days: number): string {
  const noon = Date.parse(`${day}T12:00:00Z`);
  return new Date(noon - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

function view({ unpaid, ...sum }: UsageSum, models: UsagePorts['models']): UsageSumView {
  const unpriced = Object.entries(unpaid)
    .filter(([model]) => !isFree(models.choice(model)))
    .reduce((count, [, requests]) => count + requests, 0);
  return { ...sum, name: null, unpriced };
}

/** A price of zero is a known one. */
function isFree(choice: ModelChoice | null): boolean {
  const price = choice?.price ?? null;
  return price !== null && Object.values(price).every((each) => each === 0);
}

async function named(store: Store, sums: readonly UsageSumView[]): Promise<UsageSumView[]> {
  const views: UsageSumView[] = [];
  for (const sum of sums) views.push({ ...sum, name: (await store.session(sum.key))?.name ?? null });
  return views;
}
