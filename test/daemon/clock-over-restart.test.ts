import { expect, it } from 'vitest';
import { composeCore, type Core } from '../../electron/daemon/compose.ts';
import { createMemoryStore } from '../../electron/daemon/events/memory/memory-store.ts';
import { offlineOnly } from '../../electron/daemon/sessions/model-source.ts';
import { defaultSettings } from '../../shared/domain/settings.ts';
import { sha256 } from '../support/sim/sim-tools.ts';
import { DaemonRig } from './support/daemon-rig.ts';

const year = 365 * 24 * 3_600_000;

/** A core on the disk of this rig; nothing in it needs a worker. */
function coreOn(rig: DaemonRig): Core {
  const { clock, ids, disk, log } = rig;
  return composeCore({
    store: createMemoryStore({ clock, ids, disk }),
    clock: { ...clock, sinceBoot: () => rig.time.sinceBoot },
    boot: 'boot',
    ids,
    sha256,
    log,
    settings: defaultSettings(),
    self: { home: '/h', scratch: '/h/scratch', words: [] },
    workers: {
      start: () => {
        throw new Error('nothing here may run');
      },
    },
    environment: async () => ({}),
    scratch: async () => '/h/scratch/s',
    defaultDir: '/w',
    models: offlineOnly,
    checkDir: async (dir) => dir,
  });
}

it.each([year, -year])(
  'An approval that waits survives a restart over which the clock was set by %d ms, and expires in its time.',
  async (ms) => {
    const rig = new DaemonRig();
    const first = coreOn(rig);
    await first.start();
    const { prompt } = await rig.ask((await rig.session('a')).id, 'ls', { lifeMs: 60_000 });
    const stopping = first.stop();
    await rig.pass(5_000);
    await stopping;
    await first.store.close();
    rig.time.jump(ms);
    const second = coreOn(rig);
    await second.start();
    const state = async () => (await second.store.prompt(prompt))?.state;
    const early = await state();
    await rig.pass(50_000);
    const before = await state();
    await rig.pass(10_000);
    const after = await state();
    const end = second.stop();
    await rig.pass(5_000);
    await end;
    expect([early, before, after]).toEqual(['open', 'open', 'expired']);
  },
);
