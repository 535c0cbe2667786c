import type { Surface } from '../../../electron/daemon/prompts/surface.ts';
import type { PlatformWorld } from './sim-platform.ts';
import type { Life } from './life.ts';

/** A far surface that shows 200 characters and does not know who presses; it is not always there. */
export function simPhone(world: PlatformWorld, daemon: Life, registration: number): Surface {
  const { scheduler, random, ledgers } = world;
  const away = (): boolean => !world.calm() && random.chance(0.08);
  return {
    id: 'phone',
    traits: { kinds: ['approval', 'question'], maxShown: 200, provesSender: false, scopes: ['once'] },
    offer: async ({ prompt, text, whole }) => {
      await scheduler.reach('phone', daemon, `offer ${prompt.id}`);
      if (away()) throw new Error('the phone is away');
      const known = ledgers.shown.get(prompt.id);
      ledgers.shown.set(prompt.id, {
        text,
        whole,
        told: known?.told ?? [],
        offered: [...(known?.offered ?? []), daemon.name],
      });
      if (world.daemonDiesAt('offer.shown')) return new Promise(() => undefined);
      await scheduler.reach('phone', daemon, `shown ${prompt.id}`);
      return { shown: whole ? prompt.preview.length : text.length, externalId: `phone-${prompt.code}` };
    },
    settled: async (prompt) => {
      await scheduler.reach('phone', daemon, `settled ${prompt.id}`);
      if (away()) throw new Error('the phone is away');
      ledgers.shown.get(prompt.id)?.told.push(`${daemon.name}.${registration}`);
      await scheduler.reach('phone', daemon, `told ${prompt.id}`);
    },
  };
}
