import { type BudgetLimits, noReservation, reservationFor } from '../../../shared/domain/budget.ts';
import { type BriefPolicy, briefHolds } from '../../../shared/domain/brief.ts';
import type { SelfProtection } from '../../../shared/domain/permissions/self-protection.ts';
import { emptyConfigFile } from '../../../shared/domain/config-file.ts';
import { mergeConfig } from '../../../shared/domain/merge-config.ts';
import type { ConfiguredSession, SessionConfig } from '../../../shared/domain/session-config.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { StepTerms, Store } from '../events/port.ts';
import type { SessionRow } from '../events/rows.ts';
import type { ModelSource } from './model-source.ts';

/** What settings of every source mean for steps and calls. */
export interface SessionPolicy {
  /** What holds for a session now: files are read anew when they changed. Never rejects. */
  readonly config: (session: SessionRow) => Promise<SessionConfig>;
  readonly promptLifeMs: number;
  readonly self: SelfProtection;
  /** Text that names policy and rules of a step, for the log. */
  readonly version: string;
}

/** What holds for steps and calls. `config` absent: the person's settings alone, as they were at the start. */
export function sessionPolicy(
  settings: Settings,
  self: SelfProtection,
  config: SessionPolicy['config'] = (session) => Promise.resolve(settingsConfig(settings, session)),
): SessionPolicy {
  return {
    config,
    promptLifeMs: settings.prompts.expireAfterSeconds * 1000,
    self,
    version: 'policy 2',
  };
}

/** What parsed settings of the person alone mean for a session. */
export function settingsConfig(settings: Settings, session: ConfiguredSession): SessionConfig {
  const file = {
    ...emptyConfigFile,
    permissions: settings.permissions,
    env: settings.env,
    sandbox: settings.sandbox,
  };
  const own = { source: 'settings', path: 'settings.json', name: 'settings.json', dir: null, file } as const;
  return mergeConfig({ files: [own], session, untrusted: [] });
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
