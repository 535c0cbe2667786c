import { setTimeout as delay } from 'node:timers/promises';
import { withKairos } from '../../support/real/kairos.ts';
import { makeSleepers } from '../../support/real/sleepers.ts';
import { allAsleep, followSession, roundTrip, treeMegabytes } from '../../support/real/measure.ts';
import { median, spread } from '../../support/samples.ts';
import type { Row } from '../row.ts';

const count = 1000;

/** A thousand sessions that were spoken to once and sleep. */
export const sleepersRow: Row = {
  name: 'sleepers',
  title: '1,000 sessions spoken to once and asleep',
  async run() {
    let figures: Awaited<ReturnType<Row['run']>> = [];
    await withKairos({ settings: { sessions: { hibernateAfterSeconds: 0.1 } } }, async (kairos) => {
      const ids = await makeSleepers(kairos, count);
      // Memory is given back once it has been quiet for a while.
      await delay(7_000);
      const busy = treeMegabytes(kairos);
      const wakes: number[] = [];
      for (let index = 0; index < 9; index += 1) {
        const session = ids[index * 111] ?? '';
        const viewer = await followSession(kairos, session);
        wakes.push(await roundTrip(kairos, viewer, session, 'help'));
        await viewer.close();
        await allAsleep(kairos);
      }
      await kairos.json(['daemon', 'restart']);
      await allAsleep(kairos);
      const fresh = treeMegabytes(kairos);
      figures = [
        { name: 'waking one -> settled', value: median(wakes), unit: 'ms', pass: 400, note: spread(wakes) },
        { name: 'tree, after they have all worked', value: busy, unit: 'MB', target: 100, pass: 120 },
        {
          name: 'tree, after a restart',
          measure: 'idle memory',
          value: fresh,
          unit: 'MB',
          target: 100,
          pass: 120,
        },
      ];
    });
    return figures;
  },
};
