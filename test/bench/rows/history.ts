import Database from 'better-sqlite3';
import { join } from 'node:path';
import { withKairos } from '../../support/real/kairos.ts';
import { median, repeat, type Row, spread } from '../row.ts';

const count = 100_000;

/** Lengthens a session's log with plausible events, in the file, while no daemon runs. */
function lengthen(path: string, session: string): void {
  const database = new Database(path);
  const { seq } = database.prepare('SELECT "seq" FROM "sessions" WHERE "id" = ?').get(session) as {
    seq: number;
  };
  const insert = database.prepare(
    'INSERT INTO "events" ("session", "seq", "at", "type", "v", "body") VALUES (?, ?, ?, ?, 1, ?)',
  );
  database.transaction(() => {
    for (let index = seq + 1; index <= count; index += 1) {
      const body = {
        turn: null,
        call: null,
        text: `message ${index} ${'x'.repeat(200)}`,
        status: 'normal',
        source: 'tool',
        inReplyTo: null,
        routes: [],
      };
      insert.run(session, index, 1_700_000_000_000 + index, 'message.sent', JSON.stringify(body));
    }
    database.prepare('UPDATE "sessions" SET "seq" = ? WHERE "id" = ?').run(count, session);
  })();
  database.close();
}

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
      const { id } = await kairos.bridge.get<{ id: string }>({
        method: 'POST',
        path: '/sessions',
        body: { name: 'long', dir: kairos.work },
      });
      await kairos.stopDaemon();
      lengthen(join(kairos.home, 'store.db'), id);
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
