import { assertNever } from '../../../shared/base/assert-never.ts';
import { type EffectClass, type Recovery, recover } from '../../../shared/domain/effects.ts';
import type { EffectRow } from '../events/rows.ts';
import type { SendOutcome } from './delivery-port.ts';

/** How an effect goes on: finished, or planned again not before a wall ms. */
export type AfterSend =
  | { readonly state: 'done'; readonly externalId: string }
  | { readonly state: 'failed' | 'uncertain'; readonly reason: string }
  | { readonly state: 'planned'; readonly reason: string; readonly notBefore: number };

/** After this many tries (about a day) a message is given up and the person is told. */
export const maxAttempts = 100;
const longestBackoffMs = 15 * 60 * 1000;
const lookAgainMs = 30_000;
/** A message that cannot be looked up for so long counts as uncertain. */
const lookupPatienceMs = 24 * 60 * 60 * 1000;

/** What a delivery found in the journal needs. A try whose answer was lost is looked up first where that is possible. */
export function whatToDo(effect: Pick<EffectRow, 'class' | 'state' | 'attempt'>): Recovery {
  const triedBefore = effect.state === 'planned' && effect.attempt > 0;
  if (triedBefore && effect.class === 'readback') return 'query';
  return recover(effect.class, effect.state);
}

/** True when a delivery may be tried; a wall clock that was set back since must not hold it. Wall ms. */
export function isDue(effect: Pick<EffectRow, 'until' | 'updatedAt'>, now: number): boolean {
  return effect.until === null || effect.until <= now || now < effect.updatedAt;
}

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
      return givenUp(outcome.reason, effectClass, attempt);
    case 'retry':
      return again(outcome.reason, effectClass, attempt, now, outcome.afterMs);
    case 'unknown':
      if (effectClass === 'blind') return { state: 'uncertain', reason: outcome.reason };
      return again(outcome.reason, effectClass, attempt, now);
    default:
      return assertNever(outcome, 'send outcome');
  }
}

/** The platform could not say whether a message arrived: asked again later, for a day. */
export function afterLookup(effect: Pick<EffectRow, 'createdAt'>, now: number): AfterSend {
  const reason = 'It cannot be looked up whether it arrived.';
  if (now - effect.createdAt > lookupPatienceMs) return { state: 'uncertain', reason };
  return { state: 'planned', reason, notBefore: now + lookAgainMs };
}

function again(
  reason: string,
  effectClass: EffectClass,
  attempt: number,
  now: number,
  afterMs = 0,
): AfterSend {
  if (attempt >= maxAttempts)
    return givenUp(`${reason} (given up after ${attempt} tries)`, effectClass, attempt);
  const backoff = Math.min(1000 * 2 ** (attempt - 1), longestBackoffMs);
  return { state: 'planned', reason, notBefore: now + Math.max(afterMs, backoff) };
}

/**
 * `failed` says that it surely did not arrive. With a key an earlier try may have arrived unnoticed; without one it is looked
 * up before each further try, or there is none after an unknown outcome.
 */
function givenUp(reason: string, effectClass: EffectClass, attempt: number): AfterSend {
  return { state: effectClass === 'keyed' && attempt > 1 ? 'uncertain' : 'failed', reason };
}
