import { assertNever } from '../../../shared/base/assert-never.ts';
import type { EffectClass } from '../../../shared/domain/effects.ts';
import type { SendOutcome } from './delivery-port.ts';

export type AfterSend =
  | { readonly state: 'done'; readonly externalId: string }
  | { readonly state: 'failed' | 'uncertain'; readonly reason: string }
  | { readonly state: 'planned'; readonly reason: string; readonly notBefore: number };

/** After this many tries a message that surely did not arrive counts as failed and the person is told. */
export const maxAttempts = 12;

/** What a try leaves behind: unknown outcomes are repeated only where repeating is harmless. `now` and `notBefore` are wall ms. */
export function afterSend(
  outcome: SendOutcome,
  effectClass: EffectClass,
  attempt: number,
  now: number,
): AfterSend {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'done', externalId: outcome.externalId };
    case 'rejected':
      return { state: 'failed', reason: outcome.reason };
    case 'retry':
      return again(outcome.reason, attempt, now, outcome.afterMs);
    case 'unknown':
      if (effectClass === 'blind') return { state: 'uncertain', reason: outcome.reason };
      return again(outcome.reason, attempt, now);
    default:
      return assertNever(outcome, 'send outcome');
  }
}

function again(reason: string, attempt: number, now: number, afterMs?: number): AfterSend {
  if (attempt >= maxAttempts)
    return { state: 'failed', reason: `${reason} (given up after ${attempt} tries)` };
  const backoff = Math.min(1000 * 2 ** (attempt - 1), 15 * 60 * 1000);
  return { state: 'planned', reason, notBefore: now + Math.max(afterMs ?? 0, backoff) };
}
