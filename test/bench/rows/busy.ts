import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withKairos } from '../../support/real/kairos.ts';
import { newSession } from '../../support/real/measure.ts';
import { percentile } from '../../support/samples.ts';
import type { Row } from '../row.ts';

const workers = 16;
const lines = 20;

/** 16 workers that ask without a pause, on whatever cores there are: the daemon must still answer. */
export const busyRow: Row = {
  name: 'busy',
  title: 'The daemon under 16 busy workers',
  async run() {
    const latencies: number[] = [];
    await withKairos({ settings: { sessions: { capacity: workers } } }, async (kairos) => {
      const names = await Promise.all(
        Array.from({ length: workers }, (_, index) => newSession(kairos, `busy-${index}`)),
      );
      let stopped = false;
      const text = Array.from({ length: lines }, (_, index) => `write f-${index}.txt: ${index}`).join('\n');
      const talk = async (session: string): Promise<void> => {
        while (!stopped) {
          const uuid = randomUUID();
          await kairos.bridge.get({ method: 'POST', path: '/messages', body: { uuid, session, text } });
          while (
            !stopped &&
            (await kairos.bridge.get<{ state: string }>(`/messages/${uuid}`)).state !== 'settled'
          )
            await delay(50);
        }
      };
      const talking = names.map(talk);
      const until = performance.now() + 15_000;
      while (performance.now() < until) {
        latencies.push((await kairos.bridge.call({ path: '/health' })).ms);
        await delay(5);
      }
      stopped = true;
      await Promise.all(talking);
    });
    return [
      {
        name: 'control port p99',
        value: percentile(latencies, 0.99),
        unit: 'ms',
        target: 50,
        pass: 100,
        note: `${latencies.length} samples, median ${percentile(latencies, 0.5).toFixed(1)}`,
      },
    ];
  },
};
