import { type BudgetLimits, noReservation, reservationFor } from '../../../shared/domain/budget.ts';
import { type BriefPolicy, briefHolds } from '../../../shared/domain/brief.ts';
import type { SelfProtection } from '../../../shared/domain/permissions/policy.ts';
import { parseRule, type RuleNotice, type SourcedRule } from '../../../shared/domain/permissions/rules.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { StepTerms, Store } from '../events/port.ts';
import type { SessionRow } from '../events/rows.ts';
import type { ModelSource } from './model-source.ts';

/** What the settings mean for steps and calls; made once per start of the daemon. */
export interface SessionPolicy {
  readonly rules: readonly SourcedRule[];
  readonly notices: readonly RuleNotice[];
  readonly promptLifeMs: number;
  readonly self: SelfProtection;
  /** Text that names policy and rules of a step, for the log. */
  readonly version: string;
}

/** Reads the permission rules of the settings; what could not be taken as written is in `notices`. */
export function sessionPolicy(settings: Settings, self: SelfProtection): SessionPolicy {
  const { allow, ask, deny } = settings.permissions;
  const parsed = [
    ...deny.map((text) => parseRule('deny', text)),
    ...ask.map((text) => parseRule('ask', text)),
    ...allow.map((text) => parseRule('allow', text)),
  ];
  const rules = parsed.flatMap(({ rule }): SourcedRule[] =>
    rule ? [{ ...rule, id: null, source: 'settings' }] : [],
  );
  return {
    rules,
    notices: parsed.flatMap(({ notice }) => (notice ? [notice] : [])),
    promptLifeMs: settings.prompts.expireAfterSeconds * 1000,
    self,
    version: `policy 1, ${rules.length} rules`,
  };
}

/** Limits of the settings, in millionths of a dollar and tokens. */
export function budgetLimits(settings: Settings): BudgetLimits {
  const { dayUsd, sessionDayTokens, sessionUsd, totalUsd } = settings.budgets;
  return {
    dayMicroUsd: micro(dayUsd),
    sessionDayTokens,
    sessionMicroUsd: micro(sessionUsd),
    totalMicroUsd: micro(totalUsd),
  };
}

function micro(usd: number | null): number | null {
  return usd === null ? null : Math.round(usd * 1_000_000);
}

/** What terms are made from. */
export interface TermsPorts {
  readonly store: Store;
  readonly models: Pick<ModelSource, 'choice'>;
  readonly limits: BudgetLimits;
  /** Text that names policy and rules of a step, for the log. */
  readonly policy: string;
  /** Absent: brief mode is what the session's row says. */
  readonly brief?: BriefPolicy;
  /** Steps that a turn may have; absent: no limit. */
  readonly maxSteps?: number;
  /** Calls of one reply that are run; absent: no limit. The offline engine has none: its calls are a person's own lines. */
  readonly maxCalls?: number;
}

type ModelTerms = Pick<StepTerms, 'reservation' | 'maxCalls'>;

/** Terms of a session's next step; `contextTokens`: what its runner says the context takes. */
export type SessionTerms = (session: string, contextTokens?: number) => Promise<StepTerms>;

/** What a request takes at least, frame and all, as long as nobody has counted it. */
const uncountedTokens = 8_000;

/** A step is reserved with its context and its longest answer; what the runner does not say is taken from the newest request. */
export function sessionTerms(ports: TermsPorts): SessionTerms {
  const { store, models, limits, policy, maxSteps, maxCalls } = ports;
  const fixed = { limits, policy, ...(maxSteps === undefined ? {} : { maxSteps }) };
  const ofModel = async (row: SessionRow, said: number | undefined): Promise<ModelTerms> => {
    const choice = models.choice(row.model);
    if (!choice || choice.wire === 'offline') return { reservation: noReservation };
    const context = said ?? Math.max(uncountedTokens, await store.lastContextTokens(row.id));
    const reservation = reservationFor(choice, context, choice.maxOutputTokens);
    return { reservation, ...(maxCalls === undefined ? {} : { maxCalls }) };
  };
  return async (session, said) => {
    const row = await store.session(session);
    const brief = row !== null && briefHolds(ports.brief, row);
    const own = row === null ? { reservation: noReservation } : await ofModel(row, said);
    return { ...own, ...fixed, brief };
  };
}
