import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../electron/daemon/events/sqlite/open.ts';
import type { Store } from '../../../electron/daemon/events/port.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { homeLayout } from '../../../electron/node/home.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { selfOrigin, viewersRoute } from '../../../shared/domain/origin-route.ts';
import { type Figure, median, repeat, type Row, spread } from '../row.ts';

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

async function newSession(store: Store): Promise<string> {
  const row = await store.createSession({
    name: null,
    kind: 'interactive',
    workerType: 'kairos',
    parent: null,
    dir: '/',
    mode: 'default',
    model: 'offline',
  });
  return row.id;
}

/** Stores messages from many askers at once, as many as fit into `forMs`; events per second. */
async function rate(fsyncDelayMs: number, forMs: number): Promise<number> {
  return withStore(fsyncDelayMs, async (store) => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => newSession(store)));
    const until = performance.now() + forMs;
    const began = performance.now();
    let stored = 0;
    const ask = async (session: string, asker: number): Promise<void> => {
      for (let index = 0; performance.now() < until; index += 1) {
        const dedupeKey = `${asker}:${index}`;
        await store.admitWake({
          session,
          kind: 'person',
          mode: 'after_turn',
          origin: selfOrigin,
          route: viewersRoute,
          dedupeKey,
          text: `message ${index}`,
          message: `m-${dedupeKey}`,
        });
        stored += 1;
      }
    };
    await Promise.all(Array.from({ length: 200 }, (_, asker) => ask(sessions[asker % 20] ?? '', asker)));
    return stored / ((performance.now() - began) / 1000);
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
  title: 'Store (in process, 200 askers at once)',
  async run() {
    const fast = await repeat(5, () => rate(0, 1500));
    const slow = await repeat(5, () => rate(5, 1500));
    return [
      {
        name: 'committed events/s',
        value: median(fast),
        unit: '1/s',
        target: 10_000,
        better: 'higher',
        note: spread(fast),
      },
      {
        name: 'committed events/s with an fsync of 5 ms more',
        value: median(slow),
        unit: '1/s',
        target: 10_000,
        better: 'higher',
        note: spread(slow),
      },
      ...(await million()),
    ];
  },
};
