import { assertNever } from '../base/assert-never.ts';
import type { AnsweredBy, PromptState, Verdict } from '../domain/prompts.ts';

/** How a prompt ended. */
export type Ending = 'once' | 'session' | 'always' | 'deny' | 'answer' | 'expired' | 'withdrawn';

/** Who answered: this viewer, the owner elsewhere, or a device by name. */
export type Who =
  | { readonly kind: 'you' | 'ownerElsewhere' }
  | { readonly kind: 'other'; readonly name: string };

/** How a prompt ended; null while it is open. */
export function endingOf(prompt: {
  readonly state: PromptState;
  readonly verdict: Verdict | null;
}): Ending | null {
  const { state, verdict } = prompt;
  if (state === 'open') return null;
  if (state !== 'decided' || verdict === null) return state === 'expired' ? 'expired' : 'withdrawn';
  switch (verdict.behavior) {
    case 'allow':
      return verdict.scope;
    case 'deny':
    case 'answer':
      return verdict.behavior;
    default:
      return assertNever(verdict, 'verdict');
  }
}

/** Who answered, as seen from the window with this device. */
export function whoOf(by: AnsweredBy, device: string | null): Who {
  if (by.device !== undefined && by.device === device) return { kind: 'you' };
  return by.principal === 'owner' ? { kind: 'ownerElsewhere' } : { kind: 'other', name: by.principal };
}
