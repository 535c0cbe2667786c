import type * as z from 'zod/mini';
import { badInputText } from '../../../../shared/base/bad-input-text.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import type { Route } from '../../../../shared/domain/origin-route.ts';
import type { CallFacts } from '../../../../shared/domain/permissions/call-facts.ts';
import type { PolicyInput } from '../../../../shared/domain/permissions/policy.ts';
import type { PermissionMode } from '../../../../shared/domain/sessions.ts';
import type { CallPlan } from '../../events/port.ts';
import type { PromptRow } from '../../events/rows.ts';

/** A message of the turn that still waits for its answer. */
export interface Owed {
  readonly wake: string;
  readonly ref: string;
  readonly route: Route;
  readonly answered: boolean;
}

/** What says which files may go with a message. */
export type FilePlaces = Pick<PolicyInput, 'dir' | 'ownScratch' | 'rules' | 'self'>;

/** Everything a host tool's plan follows from; `prompt`: the one opened for this call before, `now` in wall ms. */
export interface HostInput {
  readonly facts: CallFacts;
  readonly prompt: PromptRow | null;
  readonly owed: readonly Owed[];
  readonly now: number;
  readonly promptLifeMs: number;
  /** The session's mode now. */
  readonly mode: PermissionMode;
  readonly places: FilePlaces;
}

/** Ends the call with a sentence for the model; nothing else happens. */
export function failed(output: string): CallPlan {
  return { do: 'end', result: { outcome: 'error', output } };
}

/** Ends the call with a sentence about what is wrong with its input. */
export function badInput(tool: string, error: { readonly issues: readonly z.core.$ZodIssue[] }): CallPlan {
  return failed(badInputText(tool, error.issues));
}

/** A result with outcome `ok`. */
export function ok(output: string): CallResult {
  return { outcome: 'ok', output };
}
