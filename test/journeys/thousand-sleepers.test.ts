import { expect, it } from 'vitest';
import { type Kairos, withKairos } from '../support/real/kairos.ts';
import { allAsleep, followSession, roundTrip, treeMegabytes } from '../support/real/measure.ts';
import { descriptorsOf } from '../support/real/processes.ts';
import { makeSleepers } from '../support/real/sleepers.ts';
import { waitFor } from '../support/real/wait-for.ts';

const capacity = 8;

function openDescriptors(kairos: Kairos): number {
  return kairos.processes().reduce((sum, { pid }) => sum + descriptorsOf(pid).length, 0);
}

/** Ms from a message to a session that sleeps until it is settled. */
async function wake(kairos: Kairos, session: string): Promise<number> {
  const viewer = await followSession(kairos, session);
  const ms = await roundTrip(kairos, viewer, session, 'help');
  await viewer.close();
  await allAsleep(kairos);
  return ms;
}

it(
  '1,000 sessions that were spoken to once sleep without a worker in less than 120 MB, and one wakes and answers within 400 ms',
  { timeout: 600_000 },
  () =>
    withKairos({ settings: { sessions: { hibernateAfterSeconds: 0.1, capacity } } }, async (kairos) => {
      let mostWorkers = 0;
      const ids = await makeSleepers(kairos, 1000, () => {
        mostWorkers = Math.max(mostWorkers, kairos.processes('worker').length);
      });
      // Memory is given back after a while of quiet; a machine that is busy takes its time.
      await waitFor(() => treeMegabytes(kairos) < 120, {
        what: 'a tree of less than 120 MB',
        withinMs: 30_000,
        everyMs: 500,
      });
      const asleep = {
        megabytes: treeMegabytes(kairos),
        descriptors: openDescriptors(kairos),
        kinds: kairos.processes().map(({ kind }) => kind),
      };
      const rows = await kairos.sessions();
      const wakes: number[] = [];
      for (const index of [0, 250, 500, 750, 999]) wakes.push(await wake(kairos, ids[index] ?? ''));
      process.stdout.write(
        `1,000 asleep: ${asleep.megabytes.toFixed(1)} MB, ${asleep.descriptors} descriptors, at most ${mostWorkers} workers; ` +
          `waking ${wakes.map((ms) => ms.toFixed(0)).join(', ')} ms\n`,
      );
      expect({
        kinds: asleep.kinds.toSorted(),
        sleeping: rows.filter(({ state, pid }) => state === 'sleeping' && pid === null).length,
      }).toEqual({ kinds: ['daemon', 'leash', 'supervisor'], sleeping: 1000 });
      // One that is ending may still be there while the next one starts.
      expect(mostWorkers).toBeLessThanOrEqual(2 * capacity);
      expect(asleep.descriptors).toBeLessThan(120);
      expect(Math.min(...wakes), 'the quickest waking of five, ms').toBeLessThan(400);
    }),
);
