import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../electron/daemon/events/sqlite/open.ts';
import type { Store } from '../../../electron/daemon/events/port.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { homeLayout } from '../../../electron/node/home.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import {
  begin,
  beginCall,
  callParts,
  newSession,
  reply,
  requested,
  say,
  send,
  terms,
  textPart,
} from '../../store/support/acts.ts';
import { median, repeat, spread } from '../../support/samples.ts';
import type { Figure, Row } from '../row.ts';

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const ids = createSystemIds(systemClock);

async function withStore<Value>(
  fsyncDelayMs: number,
  body: (store: Store, folder: string) => Promise<Value>,
  folder = mkdtempSync(join(tmpdir(), 'kb-')),
): Promise<Value> {
  const store = await openSqliteStore({
    home: homeLayout(folder),
    clock: systemClock,
    ids,
    log: quiet,
    deliveryClass: () => 'blind',
    fsyncDelayMs,
  });
  try {
    return await body(store, folder);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const burst = 10_000;

/** Messages that arrive all at once, one event each; events per second until the last is acknowledged. */
async function burstRate(fsyncDelayMs: number): Promise<number> {
  return withStore(fsyncDelayMs, async (store) => {
    const session = await newSession(store);
    const began = performance.now();
    await Promise.all(Array.from({ length: burst }, (_, index) => say(store, session, `burst ${index}`)));
    return burst / ((performance.now() - began) / 1000);
  });
}

/** One message from admission to settled: 7 verbs, 14 events, each waiting for the one before. */
async function turn(store: Store, session: string, name: string): Promise<void> {
  await say(store, session);
  const step = await begin(store, session);
  await reply(store, session, step.id, callParts([`${name}a`, 'Bash'], [`${name}b`, 'SendUserMessage']));
  await beginCall(store, session, step.id, `${name}a`, { do: 'grant' });
  await store.endCall({ session, call: `${name}a`, result: { outcome: 'ok', output: 'hello' }, terms });
  const sent = await beginCall(store, session, step.id, `${name}b`, send('done'));
  await reply(store, session, requested(sent.kind === 'ended' ? sent.next : null).id, [textPart('')]);
}

const eventsPerTurn = 14;

/** Whole turns of 16 sessions side by side; events per second. */
async function turnRate(fsyncDelayMs: number): Promise<number> {
  return withStore(fsyncDelayMs, async (store) => {
    const sessions = await Promise.all(Array.from({ length: 16 }, () => newSession(store)));
    const began = performance.now();
    const work = async (session: string, who: number): Promise<void> => {
      for (let index = 0; index < 30; index += 1) await turn(store, session, `c${who}-${index}`);
    };
    await Promise.all(sessions.map(work));
    return (16 * 30 * eventsPerTurn) / ((performance.now() - began) / 1000);
  });
}

/** A million events, made with SQL: the way they came about does not matter to opening and paging. */
async function million(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kb-'));
  try {
    const home = homeLayout(folder);
    const options = {
      home,
      clock: systemClock,
      ids,
      log: quiet,
      deliveryClass: (): 'blind' => 'blind',
    } as const;
    const first = await openSqliteStore(options);
    const session = await newSession(first);
    await first.close();
    const database = new Database(home.storeDb);
    database.exec(`
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
      INSERT INTO "events" ("session", "seq", "at", "type", "v", "body")
      SELECT '${session}', i, 1700000000000 + i, 'message.sent', 1, json_object('turn', NULL, 'call', NULL, 'text', 'message ' || i || ' ' || printf('%.150c', 'x'), 'status', 'normal', 'source', 'tool', 'inReplyTo', NULL, 'routes', json('[]')) FROM n;
      UPDATE "sessions" SET "seq" = 1000000 WHERE "id" = '${session}';
    `);
    database.close();
    const opens: number[] = [];
    let pages: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const began = performance.now();
      const store = await openSqliteStore(options);
      opens.push(performance.now() - began);
      if (index === 4) {
        pages = await repeat(101, async (page) => {
          const from = performance.now();
          await store.events(session, { before: 1_000_000 - page * 9_000, limit: 100 });
          return performance.now() - from;
        });
      }
      await store.close();
    }
    return [
      {
        name: 'opening a database of 1,000,000 events',
        value: median(opens),
        unit: 'ms',
        target: 300,
        note: spread(opens),
      },
      {
        name: 'a page of 100 out of 1,000,000 events',
        value: median(pages),
        unit: 'ms',
        target: 5,
        note: spread(pages),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The store alone, in this process. */
export const storeRow: Row = {
  name: 'store',
  title: 'Store (in process)',
  async run() {
    const figures: Figure[] = [];
    for (const delay of [0, 5]) {
      const at = delay === 0 ? '' : `, fsync ${delay} ms slower`;
      const bursts = await repeat(5, () => burstRate(delay));
      const turns = await repeat(5, () => turnRate(delay));
      const line = { unit: '1/s', better: 'higher' } as const;
      figures.push(
        {
          ...line,
          name: `committed events/s, 10,000 at once${at}`,
          value: median(bursts),
          target: 10_000,
          note: spread(bursts),
        },
        {
          ...line,
          name: `committed events/s, turns of 16 sessions${at}`,
          value: median(turns),
          note: spread(turns),
        },
      );
    }
    return [...figures, ...(await million())];
  },
};
