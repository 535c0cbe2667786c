import type { EffectClass } from '../../../shared/domain/effects.ts';
import type { EffectRow } from '../events/rows.ts';

/** What came of one try to send. Only `unknown` leaves it open whether the message arrived. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly externalId: string }
  /** Surely not sent, and trying again is of no use. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Surely not sent; try again, not before `afterMs`. */
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A way out for messages: one per surface that is not the log itself. */
export interface DeliveryPort {
  readonly surface: string;
  readonly class: EffectClass;
  /** Sends `effect.text` to `effect.route`, with `effect.key` where the platform has idempotency. Never rejects for platform faults. */
  send(effect: EffectRow): Promise<SendOutcome>;
  /** Class `readback`: whether an earlier try arrived. */
  lookup?(effect: EffectRow): Promise<{ readonly found: boolean; readonly externalId?: string } | 'unknown'>;
}
