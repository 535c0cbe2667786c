import { noReservation } from '../../../shared/domain/budget.ts';
import type { SelfProtection } from '../../../shared/domain/permissions/policy.ts';
import { parseRule, type RuleNotice, type SourcedRule } from '../../../shared/domain/permissions/rules.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { StepTerms } from '../events/port.ts';

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

/** What a step of the offline engine may cost: nothing; limits still stop sessions that other models overspent. */
export function stepTerms(settings: Settings, policy: SessionPolicy): StepTerms {
  const { dayUsd, sessionDayTokens } = settings.budgets;
  return {
    reservation: noReservation,
    limits: { dayMicroUsd: dayUsd === null ? null : Math.round(dayUsd * 1_000_000), sessionDayTokens },
    policy: policy.version,
  };
}
