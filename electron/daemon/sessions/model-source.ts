import type { Credential, ModelChoice } from '../../../shared/domain/models.ts';
import { offlineChoice } from '../../../shared/domain/models.ts';
import { KairosError } from '../../../shared/base/errors.ts';

/** Models of a lease: the session's own first, then those to fall over to, with the secrets they need by name. */
export interface LeaseModels {
  readonly kind: 'usable';
  readonly models: readonly ModelChoice[];
  readonly secrets: Readonly<Record<string, Credential>>;
}

/** Why a session's model cannot be used: it is parked under `code`, the person reads `reason` (what happened, what to do). */
export interface ModelProblem {
  readonly kind: 'problem';
  readonly code: string;
  readonly reason: string;
}

/** A newer credential, or one sentence why there is none. */
export type Refreshed =
  | { readonly kind: 'fresh'; readonly credential: Credential }
  | { readonly kind: 'refused'; readonly reason: string };

/** The models of this installation, as sessions need them. */
export interface ModelSource {
  /** The model of that name as the settings have it; null when it names none. Never waits. */
  choice(ref: string): ModelChoice | null;
  /** What a worker needs to run it; may ask the person's own key program, which takes up to 10 s. */
  forLease(ref: string): Promise<LeaseModels | ModelProblem>;
  /** Makes a refused credential anew, once for all who ask. */
  refresh(name: string, version: number): Promise<Refreshed>;
  /** The model of a session that names none. */
  defaultRef(): Promise<string>;
  /** Why a model cannot be used (one sentence), as far as that can be told without asking anybody; null when it can. */
  problem(ref: string): string | null;
  /** The ref as it is stored; rejects with `bad_input` what names no model. */
  checkRef(ref: string): string;
}

/** Only the offline engine (safe mode, tests). */
export const offlineOnly: ModelSource = {
  choice: (ref) => (ref === offlineChoice.ref ? offlineChoice : null),
  forLease: async (ref) =>
    ref === offlineChoice.ref
      ? { kind: 'usable', models: [offlineChoice], secrets: {} }
      : { kind: 'problem', code: 'model_unavailable', reason: `There is no model "${ref}" here.` },
  refresh: async () => ({ kind: 'refused', reason: 'The offline engine needs no key.' }),
  defaultRef: async () => offlineChoice.ref,
  problem: (ref) => (ref === offlineChoice.ref ? null : `There is no model "${ref}" here.`),
  checkRef(ref) {
    if (ref === offlineChoice.ref) return ref;
    throw new KairosError('bad_input', `There is no model "${ref}" here.`, { next: 'Use: offline' });
  },
};
