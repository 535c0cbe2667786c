import type { SendOutcome } from '../../electron/daemon/effects/delivery-port.ts';
import type { EffectClass } from '../../shared/domain/effects.ts';
import { deliveryConformance, type Fate, type Platform } from './delivery-conformance.ts';

const lost: SendOutcome = { kind: 'unknown', reason: 'no answer' };
/** Whoever waited for this answer has died. */
const never = new Promise<SendOutcome>(() => undefined);

/** One platform per class: they differ in dropping a repeated key and in being asked what arrived. */
function fakePlatform(effectClass: EffectClass): Platform {
  const visible: string[] = [];
  const fates: Fate[] = [];
  const arrived = new Map<string, string>();
  const arrive = (key: string, text: string): string => {
    const known = effectClass === 'keyed' ? arrived.get(key) : undefined;
    if (known !== undefined) return known;
    visible.push(text);
    arrived.set(key, `msg-${visible.length}`);
    return `msg-${visible.length}`;
  };
  return {
    class: effectClass,
    visible,
    fates,
    connect: () => ({
      surface: 'p',
      class: effectClass,
      async send({ key, text }) {
        const fate = fates.shift() ?? 'fine';
        if (fate === 'message_lost') return lost;
        if (fate === 'death_before') return never;
        const externalId = arrive(key, text ?? '');
        if (fate === 'death_after') return never;
        return fate === 'answer_lost' ? lost : { kind: 'sent', externalId };
      },
      ...(effectClass === 'readback'
        ? {
            async lookup({ key }: { key: string }) {
              const externalId = arrived.get(key);
              return externalId === undefined ? { found: false } : { found: true, externalId };
            },
          }
        : {}),
    }),
  };
}

deliveryConformance('a platform that drops a repeated key', () => fakePlatform('keyed'));
deliveryConformance('a platform that can be asked', () => fakePlatform('readback'));
deliveryConformance('a platform that can do neither', () => fakePlatform('blind'));
