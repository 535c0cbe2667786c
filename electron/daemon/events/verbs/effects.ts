import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { NewEvent } from '../../../../shared/domain/events.ts';
import type { EffectRow } from '../rows.ts';
import { effects } from '../rows/tables.ts';
import { badInput, notFound, stale } from './rejections.ts';
import { isEnded } from './run-at.ts';
import type { Tx } from './tx.ts';

/** How a delivery, notification or webhook went; `planned` = to be tried again, not before `notBefore`. */
export interface EffectEnd {
  readonly effect: string;
  readonly state: 'done' | 'failed' | 'uncertain' | 'planned';
  readonly externalId?: string;
  readonly reason?: string;
  readonly notBefore?: number;
}

function openEffect(tx: Tx, id: string): EffectRow {
  const effect = tx.rows.get(effects, id);
  if (!effect) throw notFound('effect', id);
  if (effect.kind === 'call') throw badInput('A call is begun and ended by its own verbs.');
  return effect;
}

function change(tx: Tx, effect: EffectRow, patch: Partial<EffectRow>): EffectRow {
  const next = { ...effect, ...patch, updatedAt: tx.now };
  tx.rows.update(effects, [effect.id], { ...patch, updatedAt: tx.now });
  tx.workChanged();
  return next;
}

/** Intent before the effect: what is started here and never finished is found at boot. */
export function startEffect(tx: Tx, id: string): EffectRow {
  const effect = openEffect(tx, id);
  if (isEnded(effect)) throw stale('The effect has ended.');
  return change(tx, effect, { state: 'started', attempt: effect.attempt + 1, until: null });
}

/** Stores how it went. Delivered only with the platform's id; what was uncertain may still turn out. */
export function finishEffect(tx: Tx, input: EffectEnd): EffectRow {
  const effect = openEffect(tx, input.effect);
  if (effect.state === 'done' || effect.state === 'failed') throw stale('The effect has ended.');
  const { state, externalId, reason = '' } = input;
  if (state === 'done' && externalId === undefined)
    throw badInput('Delivered needs the id that the platform gave.');
  const event = endEvent(effect, state, externalId ?? '', reason);
  if (event && effect.kind === 'delivery') tx.append(tx.anySession(effect.session), event);
  const until = state === 'planned' ? Math.ceil(input.notBefore ?? tx.now) : null;
  return change(tx, effect, { state, until, externalId: externalId ?? effect.externalId });
}

function endEvent(
  effect: EffectRow,
  state: EffectEnd['state'],
  externalId: string,
  reason: string,
): NewEvent | null {
  const { id, attempt } = effect;
  switch (state) {
    case 'done':
      return { type: 'delivery.done', body: { effect: id, externalId, attempt } };
    case 'failed':
      return { type: 'delivery.failed', body: { effect: id, reason, attempt } };
    case 'uncertain':
      return { type: 'delivery.uncertain', body: { effect: id, reason, attempt } };
    case 'planned':
      return null;
    default:
      return assertNever(state, 'effect state');
  }
}
