import * as z from 'zod/mini';
import { budgetNameSchema } from './budget.ts';

/** `interactive`: made by a person; `bg`: one-shot; `daemon`: long-lived assistant; `daemon-worker`: internal jobs. */
export const sessionKindSchema = z.enum(['interactive', 'bg', 'daemon', 'daemon-worker']);
export type SessionKind = z.infer<typeof sessionKindSchema>;

/**
 * What runs unasked: `default` asks before anything risky; `acceptEdits` also changes files of the session's directory; `plan` only
 * looks, until a person approved its plan; `dontAsk` denies what would ask; `bypassPermissions` asks only where a rule, a protected
 * path or self-protection demands it.
 */
export const permissionModeSchema = z.enum([
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
]);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

/** The mode a session has once its plan is approved: `once` asks as usual, wider scopes let files of its directory change unasked. */
export function modeAfterPlan(scope: 'once' | 'session' | 'always'): 'default' | 'acceptEdits' {
  return scope === 'once' ? 'default' : 'acceptEdits';
}

/** What a person sees; derived, never stored (see `sessionState`). */
export const sessionStateSchema = z.enum([
  'idle',
  'working',
  'asking',
  'sleeping',
  'queued',
  'paused',
  'parked',
]);
export type SessionState = z.infer<typeof sessionStateSchema>;

/** What a session's worker is reported as: `kairos_assistant` for long-lived assistants. */
export const workerTypeSchema = z.enum(['kairos', 'kairos_assistant']);
export type WorkerType = z.infer<typeof workerTypeSchema>;

/** Why a session stopped until a person says otherwise, or until a wall ms. `limit`: the budget that stopped it. */
export const parkedSchema = z.object({
  code: z.string(),
  reason: z.string(),
  at: z.number(),
  until: z.optional(z.number()),
  limit: z.optional(budgetNameSchema),
});
export type Parked = z.infer<typeof parkedSchema>;

/** A reason that ends with what to do, in its two parts; null where it ends otherwise. */
export function adviceOf(reason: string): { readonly why: string; readonly advice: string } | null {
  const parts = /^(.*[.!?]) ([A-Z][^.!?]*: kairos (?:retry|models set|usage raise) .*)$/s.exec(reason);
  const [, why, advice] = parts ?? [];
  return why === undefined || advice === undefined ? null : { why, advice };
}

/** Codes of sessions that stopped because of their model: another one lets them go on. */
export const modelCodes: ReadonlySet<string> = new Set([
  'model_unavailable',
  'model_unreachable',
  'model_address',
  'model_refused_request',
  'model_failed',
  'context_too_long',
  'credential_missing',
  'credential_refused',
]);

/** 1 to 64 characters: letters of any script, digits, `-`, `_`, `.`; must not start with `-` or look like an id. */
export const sessionNamePattern = /^(?!-)(?!ses_)[\p{L}\p{N}._-]{1,64}$/u;

/** The facts a session's visible state follows from. */
export interface SessionFacts {
  readonly parked: boolean;
  readonly paused: boolean;
  /** An approval, question ... of this session is open. */
  readonly openPrompts: number;
  /** A turn has begun and not ended. */
  readonly inTurn: boolean;
  /** A call of the turn waits for its alarm (Sleep). */
  readonly waiting: boolean;
  /** Due wakes that no turn has taken. */
  readonly pending: number;
  /** A worker holds a lease on it now. */
  readonly leased: boolean;
}

/** The one word for what a session is doing; what asks comes first. */
export function sessionState(facts: SessionFacts): SessionState {
  if (facts.parked) return 'parked';
  if (facts.openPrompts > 0) return 'asking';
  if (facts.paused && !(facts.leased && facts.inTurn)) return 'paused';
  if (facts.waiting) return 'sleeping';
  if (facts.inTurn || facts.pending > 0) return facts.leased ? 'working' : 'queued';
  return facts.leased ? 'idle' : 'sleeping';
}
