import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BridgeClient } from '../../support/real/bridge-client.ts';
import { type Kairos, withKairos } from '../../support/real/kairos.ts';
import { memoryOf } from '../../support/real/processes.ts';
import { waitFor } from '../../support/real/wait-for.ts';
import { allAsleep, newSession } from '../../support/real/measure.ts';
import { percentile } from '../../support/samples.ts';
import type { Row } from '../row.ts';

const count = 10_000;
const sessions = 20;
/** Connections of the senders; one message each at a time. */
const senders = 64;

interface Probe {
  readonly latencies: number[];
  most: number;
  stop(): Promise<void>;
}

/** Asks the control port again and again and looks at the daemon's memory meanwhile. */
function probe(kairos: Kairos, pid: number): Probe {
  let stopped = false;
  const result = { latencies: [] as number[], most: 0 };
  // A connection of its own: what is measured is the daemon, not the queue of the senders.
  const own = new BridgeClient(kairos.home);
  const loop = (async () => {
    while (!stopped) {
      const { ms } = await own.call({ path: '/health' });
      result.latencies.push(ms);
      result.most = Math.max(result.most, memoryOf([pid]) / 1024 / 1024);
      await delay(10);
    }
  })();
  return {
    latencies: result.latencies,
    get most() {
      return result.most;
    },
    async stop() {
      stopped = true;
      await loop;
      own.close();
    },
  };
}

async function sendAll(kairos: Kairos, names: readonly string[]): Promise<number> {
  const bridge = new BridgeClient(kairos.home, senders);
  let next = 0;
  let stored = 0;
  const send = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const body = { uuid: randomUUID(), session: names[index % sessions], text: 'help' };
      const { status } = await bridge.call({ method: 'POST', path: '/messages', body });
      if (status < 300) stored += 1;
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  bridge.close();
  return stored;
}

/** 10,000 messages as fast as they are taken, while sessions work on them. */
export const burstRow: Row = {
  name: 'burst',
  title: '10,000 messages in a burst into 20 sessions',
  async run() {
    let figures: Awaited<ReturnType<Row['run']>> = [];
    await withKairos({ settings: { sessions: { hibernateAfterSeconds: 2 } } }, async (kairos) => {
      const names = await Promise.all(
        Array.from({ length: sessions }, (_, index) => newSession(kairos, `burst-${index}`)),
      );
      const pid = kairos.processes('daemon')[0]?.pid ?? 0;
      await delay(1_000);
      const before = memoryOf([pid]) / 1024 / 1024;
      const watching = probe(kairos, pid);
      const began = performance.now();
      const stored = await sendAll(kairos, names);
      const took = performance.now() - began;
      await waitFor(
        async () => {
          const rows = await kairos.bridge.get<readonly { pending: number; state: string }[]>('/sessions');
          return rows.every(
            ({ pending, state }) => pending === 0 && state !== 'working' && state !== 'queued',
          );
        },
        { what: 'all of them to be settled', withinMs: 300_000, everyMs: 250 },
      );
      const settled = performance.now() - began;
      await watching.stop();
      await allAsleep(kairos);
      // Memory is given back once it has been quiet for a while.
      await delay(7_000);
      const after = memoryOf([pid]) / 1024 / 1024;
      figures = [
        {
          name: 'stored',
          value: stored,
          unit: '',
          pass: count,
          better: 'higher',
          note: `${Math.round(count / (took / 1000))} per second`,
        },
        {
          name: 'control port p99 meanwhile',
          value: percentile(watching.latencies, 0.99),
          unit: 'ms',
          target: 50,
          pass: 100,
          note: `${watching.latencies.length} samples, median ${percentile(watching.latencies, 0.5).toFixed(1)}`,
        },
        {
          name: 'daemon memory, growth at the peak',
          value: watching.most - before,
          unit: 'MB',
          target: 60,
          note: `${before.toFixed(1)} before`,
        },
        { name: 'daemon memory, growth once all are asleep', value: after - before, unit: 'MB' },
        { name: 'until all are settled', value: settled / 1000, unit: 's' },
      ];
    });
    return figures;
  },
};
