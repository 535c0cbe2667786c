import { randomUUID } from 'node:crypto';
import type { Kairos } from './kairos.ts';
import { allAsleep } from './measure.ts';
import { waitFor } from './wait-for.ts';

/**
 * Makes so many sessions, says one thing to each, and resolves with their ids when every one has answered and sleeps without a
 * worker. `look` is called now and then meanwhile. Give the home a short quiet time.
 */
export async function makeSleepers(
  kairos: Kairos,
  count: number,
  look: () => void = () => undefined,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { uuid: randomUUID(), session: `sleeper-${index}`, text: 'help', dir: kairos.work };
    const call = { method: 'POST', path: '/messages', body } as const;
    ids.push((await kairos.bridge.get<{ session: string }>(call)).session);
    if (index % 100 === 0) look();
  }
  await waitFor(
    async () => {
      look();
      const rows = await kairos.bridge.get<readonly { state: string }[]>('/sessions');
      return rows.every(({ state }) => state === 'sleeping');
    },
    { what: `${count} sleepers`, withinMs: 600_000, everyMs: 500 },
  );
  await allAsleep(kairos);
  return ids;
}
