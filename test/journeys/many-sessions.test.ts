import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { descriptorsOf } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';

it(
  '100 sessions that work at once keep to the capacity of workers and to a bounded number of descriptors',
  { timeout: 120_000 },
  () =>
    withKairos({ settings: { sessions: { hibernateAfterSeconds: 0.2, capacity: 4 } } }, async (kairos) => {
      const uuids: string[] = [];
      let mostWorkers = 0;
      let mostDescriptors = 0;
      const look = (): void => {
        const workers = kairos.processes('worker').length;
        const [daemon] = kairos.processes('daemon');
        mostWorkers = Math.max(mostWorkers, workers);
        mostDescriptors = Math.max(mostDescriptors, daemon ? descriptorsOf(daemon.pid).length : 0);
      };
      for (let index = 0; index < 100; index += 1) {
        const uuid = randomUUID();
        const body = {
          uuid,
          session: `many-${index}`,
          text: 'run echo hi',
          mode: 'bypassPermissions',
          dir: kairos.work,
        };
        await kairos.bridge.get({ method: 'POST', path: '/messages', body });
        uuids.push(uuid);
        if (index % 10 === 0) look();
      }
      await waitFor(
        async () => {
          look();
          const states = await Promise.all(
            uuids.map((uuid) => kairos.bridge.get<{ state: string }>(`/messages/${uuid}`)),
          );
          return states.every(({ state }) => state === 'settled');
        },
        { what: '100 settled messages', withinMs: 90_000, everyMs: 200 },
      );
      await waitFor(() => kairos.processes('worker').length === 0, { what: 'all of them asleep' });
      const rows = await kairos.sessions();
      const [daemon] = kairos.processes('daemon');
      expect({
        asleep: rows.filter(({ pid, state }) => pid === null && state === 'sleeping').length,
      }).toEqual({ asleep: 100 });
      // One that is ending may still be there while the next one starts.
      expect(mostWorkers).toBeLessThanOrEqual(4 + 4);
      expect(mostDescriptors).toBeLessThan(200);
      expect(descriptorsOf(daemon?.pid ?? 0).length).toBeLessThan(60);
    }),
);
