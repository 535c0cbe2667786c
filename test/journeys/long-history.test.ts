import { expect, it } from 'vitest';
import { followTopics } from '../support/real/topic-client.ts';
import { type Kairos, withKairos } from '../support/real/kairos.ts';
import { longSession } from '../support/real/long-log.ts';
import { median, repeat } from '../support/samples.ts';

const count = 100_000;
const pageSize = 100;

interface Page {
  readonly events: readonly { readonly seq: number }[];
  readonly more: boolean;
}

/** Ms until the bridge has answered with the newest page, right after a start. */
async function firstPage(kairos: Kairos, session: string): Promise<number> {
  await kairos.startDaemon();
  const { ms, body } = await kairos.bridge.call({ path: `/sessions/${session}/events?limit=${pageSize}` });
  expect((body as Page).events[0]?.seq).toBe(count);
  await kairos.stopDaemon();
  return ms;
}

/** Ms until a viewer that opens the session has its snapshot, connecting included. */
async function opened(kairos: Kairos, session: string): Promise<number> {
  const began = performance.now();
  const viewer = await followTopics(kairos.bridge, [`session:${session}`]);
  const ms = performance.now() - began;
  await viewer.close();
  return ms;
}

it(
  'A session of 100,000 events opens within 100 ms, pages backwards within 20 ms, and every event is there',
  { timeout: 180_000 },
  () =>
    withKairos({}, async (kairos) => {
      const session = await longSession(kairos, count);
      const first = await repeat(3, () => firstPage(kairos, session));
      await kairos.startDaemon();
      const viewed = await repeat(5, () => opened(kairos, session));
      const seqs: number[] = [];
      let before = count + 1;
      const back = await repeat(60, async (index) => {
        // Half of the way is taken by a jump: the middle of a log is as near as its end.
        if (index === 30) before = count / 2;
        const path = `/sessions/${session}/events?limit=${pageSize}&before=${before}`;
        const { ms, body } = await kairos.bridge.call({ path });
        const { events } = body as Page;
        seqs.push(...events.map(({ seq }) => seq));
        before = events.at(-1)?.seq ?? before;
        return ms;
      });
      const [end] = (await kairos.bridge.get<Page>(`/sessions/${session}/events?after=0&limit=1`)).events;
      const half = 30 * pageSize;
      expect({
        newest: seqs.slice(0, half),
        middle: seqs.slice(half),
        oldest: end?.seq,
      }).toEqual({
        newest: Array.from({ length: half }, (_, index) => count - index),
        middle: Array.from({ length: half }, (_, index) => count / 2 - 1 - index),
        oldest: 1,
      });
      process.stdout.write(
        `100,000 events: first page ${median(first).toFixed(1)} ms, opened ${median(viewed).toFixed(1)} ms, ` +
          `a page back ${median(back).toFixed(1)} ms\n`,
      );
      expect(median(first), 'the first page after a start, ms').toBeLessThan(100);
      expect(median(viewed), 'a viewer that opens the session, ms').toBeLessThan(100);
      expect(median(back), 'a page backwards, ms').toBeLessThan(20);
    }),
);
