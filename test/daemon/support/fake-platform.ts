import type { DeliveryPort, SendOutcome } from '../../../electron/daemon/effects/delivery-port.ts';
import type { EffectRow } from '../../../electron/daemon/events/rows.ts';
import type { EffectClass } from '../../../shared/domain/effects.ts';

/** A way out whose answers the test gives: in advance (`plan`), or one by one while `held`. */
export class FakePlatform implements DeliveryPort {
  readonly surface: string;
  readonly class: EffectClass;
  readonly sent: string[] = [];
  readonly lookedUp: string[] = [];
  readonly plan: (SendOutcome | Error)[] = [];
  /** What a look-up says. */
  found: { found: boolean; externalId?: string } | 'unknown' = 'unknown';
  held = false;
  #answers: ((outcome: SendOutcome) => void)[] = [];
  #last = 0;

  constructor(surface: string, effectClass: EffectClass) {
    this.surface = surface;
    this.class = effectClass;
  }

  send(effect: EffectRow): Promise<SendOutcome> {
    this.sent.push(effect.text ?? '');
    if (this.held) return new Promise((resolve) => this.#answers.push(resolve));
    const planned = this.plan.shift();
    if (planned instanceof Error) return Promise.reject(planned);
    this.#last += 1;
    return Promise.resolve(planned ?? { kind: 'sent', externalId: `${this.surface}-${this.#last}` });
  }

  lookup(effect: EffectRow): Promise<{ found: boolean; externalId?: string } | 'unknown'> {
    this.lookedUp.push(effect.text ?? '');
    return Promise.resolve(this.found);
  }

  /** The oldest request that waits is answered. */
  answer(outcome: SendOutcome): void {
    this.#answers.shift()?.(outcome);
  }
}
