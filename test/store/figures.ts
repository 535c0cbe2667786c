// Prints what the store costs: node test/store/figures.ts [million]. Not a test: figures are published, never asserted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { createMemoryStore } from '../../electron/daemon/events/memory/memory-store.ts';
import type { Store } from '../../electron/daemon/events/port.ts';
import { openSqliteStore, type SqliteStore } from '../../electron/daemon/events/sqlite/open.ts';
import { systemClock } from '../../electron/node/clock.ts';
import { createSystemIds } from '../../electron/node/ids.ts';
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
} from './support/acts.ts';
import { filesIn, type StoreFolder } from './support/folder.ts';

const ids = createSystemIds(systemClock);
const folders: string[] = [];

function newFolder(): StoreFolder {
  const home = mkdtempSync(join(tmpdir(), 'kairos-figures-'));
  folders.push(home);
  return filesIn(home);
}

function open(folder: StoreFolder, fsyncDelayMs = 0): Promise<SqliteStore> {
  return openSqliteStore({ home: folder, clock: systemClock, ids, fsyncDelayMs });
}

function print(name: string, value: number, unit: string): void {
  process.stdout.write(`${name.padEnd(64)} ${value.toFixed(value < 10 ? 2 : 0).padStart(9)} ${unit}\n`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

interface Measured {
  readonly ms: number;
  /** CPU time of this process: on a machine that others use too it says more than the clock. */
  readonly cpuMs: number;
  readonly loopP99: number;
}

async function measure(work: () => Promise<unknown>): Promise<Measured> {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const before = process.cpuUsage();
  loop.enable();
  const ms = await timed(work);
  loop.disable();
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000, loopP99: loop.percentile(99) / 1e6 };
}

function printRate(name: string, count: number, unit: string, { ms, cpuMs, loopP99 }: Measured): void {
  print(name, count / (ms / 1000), `${unit}/s`);
  print('  CPU for each', cpuMs / count, 'ms');
  print('  event-loop delay p99', loopP99, 'ms');
}

async function median(count: number, work: () => Promise<unknown>): Promise<number> {
  const times = [];
  for (let n = 0; n < count; n += 1) times.push(await timed(work));
  return times.sort((left, right) => left - right)[Math.floor(count / 2)] ?? 0;
}

/** One message from admission to settled. */
async function turn(store: Store, session: string, n: number): Promise<void> {
  await say(store, session, 'hello');
  const step = await begin(store, session);
  await reply(store, session, step.id, callParts([`c${n}a`, 'Bash'], [`c${n}b`, 'SendUserMessage']));
  await beginCall(store, session, step.id, `c${n}a`, { do: 'grant' });
  await store.endCall({ session, call: `c${n}a`, result: { outcome: 'ok', output: 'hello' }, terms });
  const sent = await beginCall(store, session, step.id, `c${n}b`, send('done'));
  await reply(store, session, requested(sent.kind === 'ended' ? sent.next : null).id, [textPart('')]);
}

async function bursts(): Promise<void> {
  for (const delay of [0, 1, 15]) {
    const store = await open(newFolder(), delay);
    const session = await newSession(store);
    const burst = Array.from({ length: 10_000 }, (_, n) => `burst ${n}`);
    const measured = await measure(() => Promise.all(burst.map((text) => say(store, session, text))));
    printRate(`burst of 10,000, fsync + ${delay} ms`, burst.length, 'messages', measured);
    await store.close();
  }
}

async function paced(): Promise<void> {
  for (const delay of [0, 15]) {
    const store = await open(newFolder(), delay);
    const sessions = await Promise.all(Array.from({ length: 16 }, () => newSession(store)));
    const rounds = delay === 0 ? 100 : 20;
    const work = async (session: string, who: number): Promise<void> => {
      for (let n = 0; n < rounds; n += 1) await turn(store, session, who * 1000 + n);
    };
    const measured = await measure(() => Promise.all(sessions.map(work)));
    printRate(
      `16 sessions at once, fsync + ${delay} ms (7 verbs, 14 events each)`,
      16 * rounds,
      'turns',
      measured,
    );
    await store.close();
  }
}

async function oneByOne(): Promise<void> {
  const store = await open(newFolder());
  const session = await newSession(store);
  let n = 0;
  print(
    'one message stored and acknowledged, median',
    await median(1000, () => say(store, session, `${(n += 1)}`)),
    'ms',
  );
  await store.close();
  for (const schedule of [setImmediate, queueMicrotask]) {
    const own = createMemoryStore({ clock: systemClock, ids, schedule });
    const id = await newSession(own);
    const measured = await measure(async () => {
      for (let round = 0; round < 1000; round += 1) await turn(own, id, round);
    });
    printRate(`memory store, committing by ${schedule.name}`, 1000, 'turns', measured);
  }
}

/** Fills the log by SQL: what is measured is reading and opening. */
function fillEvents(folder: StoreFolder, session: string, count: number): void {
  const database = new Database(folder.storeDb);
  database.pragma('synchronous = OFF');
  const insert = database.prepare(
    'INSERT INTO events (session, seq, at, type, v, body) VALUES (?, ?, ?, ?, 1, ?)',
  );
  const body = JSON.stringify({
    message: 'm',
    wake: 'w',
    ref: 'm1',
    kind: 'tick',
    mode: 'next_step',
    text: 'x'.repeat(150),
    route: { surface: 'viewers' },
  });
  database.transaction(() => {
    for (let seq = 2; seq <= count; seq += 1) insert.run(session, seq, seq, 'message.received', body);
    database.prepare('UPDATE sessions SET seq = ? WHERE id = ?').run(count, session);
  })();
  database.close();
}

async function pages(count: number): Promise<void> {
  const folder = newFolder();
  const first = await open(folder);
  const session = await newSession(first);
  await first.close();
  fillEvents(folder, session, count);
  const label = count.toLocaleString('en');
  let store = await open(folder);
  await store.close();
  print(`open a store of ${label} events`, await timed(async () => void (store = await open(folder))), 'ms');
  print(`  first page of 100`, await timed(() => store.events(session, { limit: 100 })), 'ms');
  let before = count;
  print(
    `  a page of 100 backwards, median`,
    await median(200, () => store.events(session, { before: (before -= 400), limit: 100 })),
    'ms',
  );
  print(`  one more message, median`, await median(200, () => say(store, session)), 'ms');
  await store.close();
}

async function crowd(): Promise<void> {
  const store = await open(newFolder());
  const sessions = await Promise.all(Array.from({ length: 10_000 }, () => newSession(store)));
  const later = systemClock.now() + 3_600_000;
  const [busy = ''] = sessions;
  await Promise.all(sessions.map((id) => say(store, id, 'later', { kind: 'schedule', availableAt: later })));
  print('10,000 sessions asleep: runnable, median', await median(200, () => store.runnable()), 'ms');
  print('  nextDue, median', await median(200, () => store.nextDue()), 'ms');
  print('  summaries of all, median', await median(5, () => store.summaries()), 'ms');
  print('  summary of one, median', await median(200, () => store.summaries({ ids: [busy] })), 'ms');
  await Promise.all(Array.from({ length: 10_000 }, (_, n) => say(store, busy, `${n}`, { kind: 'tick' })));
  print('and 10,000 pending wakes: runnable, median', await median(200, () => store.runnable()), 'ms');
  print('  nextDue, median', await median(200, () => store.nextDue()), 'ms');
  print(
    '  a step of a hundred of them, median',
    await median(20, async () => {
      const step = await begin(store, busy);
      await reply(store, busy, step.id, [textPart('')]);
    }),
    'ms',
  );
  print('  one more message, median', await median(200, () => say(store, busy)), 'ms');
  await store.close();
}

try {
  await bursts();
  await paced();
  await oneByOne();
  await pages(100_000);
  if (process.argv.includes('million')) await pages(1_000_000);
  await crowd();
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
