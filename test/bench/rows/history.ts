import { withKairos } from '../../support/real/kairos.ts';
import { longSession } from '../../support/real/long-log.ts';
import { median, repeat, spread } from '../../support/samples.ts';
import type { Row } from '../row.ts';

const count = 100_000;

interface Page {
  readonly events: readonly { readonly seq: number }[];
}

/** A session with a long life behind it. */
export const historyRow: Row = {
  name: 'history',
  title: 'A session of 100,000 events, over the bridge',
  async run() {
    const first: number[] = [];
    let back: number[] = [];
    await withKairos({}, async (kairos) => {
      const id = await longSession(kairos, count);
      for (let index = 0; index < 5; index += 1) {
        await kairos.startDaemon();
        const began = performance.now();
        await kairos.bridge.get<Page>(`/sessions/${id}/events?limit=100`);
        first.push(performance.now() - began);
        if (index < 4) await kairos.stopDaemon();
      }
      let before = count;
      back = await repeat(200, async () => {
        const began = performance.now();
        const page = await kairos.bridge.get<Page>(`/sessions/${id}/events?limit=100&before=${before}`);
        before = page.events.at(-1)?.seq ?? count;
        return performance.now() - began;
      });
    });
    return [
      {
        name: 'first page of 100 after a start',
        value: median(first),
        unit: 'ms',
        pass: 100,
        note: spread(first),
      },
      { name: 'a page of 100 backwards', value: median(back), unit: 'ms', pass: 20, note: spread(back) },
    ];
  },
};
