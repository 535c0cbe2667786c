import { describe, expect, it } from 'vitest';
import type { DeliveryPort, SendOutcome } from '../../electron/daemon/effects/delivery-port.ts';
import { EffectJournal } from '../../electron/daemon/effects/journal.ts';
import type { EffectRow } from '../../electron/daemon/events/rows.ts';
import type { EffectClass } from '../../shared/domain/effects.ts';
import { DaemonRig } from '../daemon/support/daemon-rig.ts';

/** What happens to one try: it arrives; its answer is lost; it is lost itself; the daemon dies after or before it arrived. */
export type Fate = 'fine' | 'answer_lost' | 'message_lost' | 'death_after' | 'death_before';

/** A platform with a memory of its own, as honest as its class lets it be. */
export interface Platform {
  readonly class: EffectClass;
  /** What people see, in order. */
  readonly visible: string[];
  /** One per try; `fine` when none is left. */
  readonly fates: Fate[];
  /** The way to it for one life of the daemon. */
  connect(): DeliveryPort;
}

interface Life {
  readonly rig: DaemonRig;
  readonly journal: EffectJournal;
  readonly session: string;
}

async function live(platform: Platform, disk?: DaemonRig['disk']): Promise<Life> {
  const rig = new DaemonRig({ ...(disk ? { disk } : {}), deliveryClass: () => platform.class });
  const session = (await rig.store.session('a'))?.id ?? (await rig.session('a')).id;
  const journal = new EffectJournal(rig);
  journal.register(platform.connect());
  return { rig, journal, session };
}

async function come({ rig, journal }: Life): Promise<void> {
  for (let minute = 0; minute < 3; minute += 1) {
    await rig.pass(60_000);
    journal.pump();
  }
  await rig.settle();
}

async function ends({ rig, session }: Life): Promise<string[]> {
  return (await rig.types(session)).filter((type) => /^delivery\.(done|failed|uncertain)$/.test(type));
}

const to = (chat: string) => [{ surface: 'p', chat }];

/** What a person sees of each fate, by what the platform can tell. */
const seen: Record<'tells' | 'blind', Record<Fate, readonly [visible: string[], end: string]>> = {
  tells: {
    fine: [['one'], 'delivery.done'],
    answer_lost: [['one'], 'delivery.done'],
    message_lost: [['one'], 'delivery.done'],
    death_after: [['one'], 'delivery.done'],
    death_before: [['one'], 'delivery.done'],
  },
  blind: {
    fine: [['one'], 'delivery.done'],
    answer_lost: [['one'], 'delivery.uncertain'],
    message_lost: [[], 'delivery.uncertain'],
    death_after: [['one'], 'delivery.uncertain'],
    death_before: [[], 'delivery.uncertain'],
  },
};

/** Never two visible copies; where the platform can tell, exactly one; where it cannot, one mark that says so. */
export function deliveryConformance(name: string, make: () => Platform): void {
  const table = seen[make().class === 'blind' ? 'blind' : 'tells'];
  describe(`${name} as a way out`, () => {
    it.each(Object.keys(table) as Fate[])('%s', async (fate) => {
      const platform = make();
      platform.fates.push(fate);
      let life = await live(platform);
      await life.rig.send(life.session, 'one', to('a'));
      await life.rig.settle();
      if (fate.startsWith('death')) {
        life.rig.store.crash();
        life = await live(platform, life.rig.disk);
      }
      await come(life);
      expect([platform.visible, await ends(life)]).toEqual([table[fate][0], [table[fate][1]]]);
    });

    it('keeps the order within a chat, whatever becomes of the first', async () => {
      const platform = make();
      platform.fates.push('answer_lost');
      const life = await live(platform);
      await life.rig.send(life.session, 'one', to('a'));
      await life.rig.send(life.session, 'two', to('a'));
      await come(life);
      expect(platform.visible).toEqual(['one', 'two']);
    });

    it('gives every try of a message the same key, and each message its own', async () => {
      const platform = make();
      const keys: string[] = [];
      const { connect } = platform;
      const life = await live({
        ...platform,
        connect: () => {
          const port = connect();
          const send = (effect: EffectRow): Promise<SendOutcome> => {
            keys.push(effect.key);
            return port.send(effect);
          };
          return { ...port, send };
        },
      });
      platform.fates.push('message_lost');
      await life.rig.send(life.session, 'one', to('a'));
      await life.rig.send(life.session, 'two', to('a'));
      await come(life);
      const tries = platform.class === 'blind' ? 2 : 3;
      expect([keys.length, new Set(keys).size]).toEqual([tries, 2]);
    });
  });
}
