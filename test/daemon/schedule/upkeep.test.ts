import { expect, it } from 'vitest';
import { Upkeep } from '../../../electron/daemon/schedule/upkeep.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import { createMemoryStore } from '../../../electron/daemon/events/memory/memory-store.ts';

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

it('deletes unreferenced blobs once a week, never younger ones', async () => {
  const time = { now: 1_800_000_000_000 };
  const clock: Clock = { now: () => time.now, monotonic: () => time.now, after: () => () => undefined };
  let id = 0;
  const ids = {
    next: (prefix: string) => `${prefix}_${++id}`,
    random: (bytes: number) => 'a'.repeat(bytes * 2),
  };
  const store = createMemoryStore({ clock, ids });
  const upkeep = new Upkeep({ store, clock, log: silent });
  await store.setMeta('blobs_collected_at', String(time.now));
  const orphan = await store.putBlob(Buffer.from('orphan'));
  time.now += 6 * 24 * 3600 * 1000;
  const early = await upkeep.look();
  time.now += 24 * 3600 * 1000;
  const young = await store.putBlob(Buffer.from('young'));
  const due = await upkeep.look();
  expect({
    early,
    due,
    again: await upkeep.look(),
    orphan: await store.blob(orphan),
    young: (await store.blob(young)) !== null,
  }).toEqual({ early: null, due: 1, again: null, orphan: null, young: true });
});
