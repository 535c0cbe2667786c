import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from './checkout.ts';
import { Kairos } from './kairos.ts';
import { fillStore } from './long-log.ts';
import { newSession } from './measure.ts';
import { waitFor } from './wait-for.ts';

/**
 * The event-loop delay of the daemon within one window, ms. `p99` and `max`: from one timer of 10 ms to the next, whoever made it
 * wait. `ownP99`: by how much a timer came late, without the time in which the daemon was ready and others had the cores
 * (`coreWaitMs` in all): what the daemon itself did, on any machine.
 */
export interface LoopWindow {
  readonly p99: number;
  readonly max: number;
  readonly ownP99: number;
  readonly coreWaitMs: number;
}

/** `databaseBytes` of old history lie in other sessions; `windows` of `windowMs` are measured. */
export interface BusyPlan {
  readonly workers: number;
  readonly databaseBytes: number;
  readonly windows: number;
  readonly windowMs: number;
}

const linesPerMessage = 20;
const oldSessions = 20;
/** Somebody reads in the old history meanwhile. */
const pageEveryMs = 250;

/** What was measured: the windows in which every worker was busy, and how large the database was. */
export interface BusyReport {
  readonly windows: readonly LoopWindow[];
  readonly mostWorkers: number;
  readonly databaseBytes: number;
}

/** Measures the daemon's event loop from inside while so many workers ask without a pause and a viewer pages through old history. */
export async function measureBusyLoop(plan: BusyPlan): Promise<BusyReport> {
  const kairos = new Kairos({ settings: { sessions: { capacity: plan.workers } } });
  const watch = pathToFileURL(join(root, 'test/support/real/watch-loop.ts')).href;
  const file = join(kairos.base, 'loop.jsonl');
  try {
    await kairos.startDaemon();
    const old = await makeSessions(kairos, 'old', oldSessions);
    await kairos.stopDaemon();
    fillStore(kairos, old, plan.databaseBytes);
    Object.assign(kairos.env, {
      NODE_OPTIONS: `--import=${watch}`,
      LOOP_DELAY_FILE: file,
      LOOP_DELAY_WINDOW_MS: String(plan.windowMs),
    });
    await kairos.startDaemon();
    return await measureWindows(kairos, plan, old, file);
  } finally {
    await kairos.dispose();
  }
}

function makeSessions(kairos: Kairos, name: string, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => newSession(kairos, `${name}-${index}`)));
}

async function measureWindows(
  kairos: Kairos,
  plan: BusyPlan,
  old: readonly string[],
  file: string,
): Promise<BusyReport> {
  const busy = await makeSessions(kairos, 'busy', plan.workers);
  const over = new AbortController();
  const working = [
    ...busy.map((session) => keepBusy(kairos, session, over.signal)),
    pageThrough(kairos, old, over.signal),
  ];
  const all = Promise.all(working);
  const workers = (): number => kairos.processes('worker').length;
  // Whoever fails first ends the measurement.
  const wait = async (): Promise<BusyReport> => {
    await waitFor(() => workers() === plan.workers, { what: 'every worker', withinMs: 60_000 });
    const before = readWindows(file).length;
    // The window that is under way began before all were there.
    const wanted = before + 1 + plan.windows;
    await waitFor(() => readWindows(file).length >= wanted, {
      what: 'the windows',
      withinMs: plan.windowMs * (plan.windows + 2) + 30_000,
      everyMs: 200,
    });
    const mostWorkers = workers();
    const databaseBytes = statSync(join(kairos.home, 'store.db')).size;
    return { windows: readWindows(file).slice(before + 1, wanted), mostWorkers, databaseBytes };
  };
  try {
    return await Promise.race([wait(), all.then(() => Promise.reject(new Error('the work ended early')))]);
  } finally {
    over.abort();
    await all;
  }
}

async function keepBusy(kairos: Kairos, session: string, signal: AbortSignal): Promise<void> {
  const lines = Array.from(
    { length: linesPerMessage },
    (_, index) => `write ${session}-${index}.txt: ${index}`,
  );
  while (!signal.aborted) {
    const uuid = randomUUID();
    const body = { uuid, session, text: lines.join('\n') };
    await kairos.bridge.get({ method: 'POST', path: '/messages', body });
    while (!signal.aborted) {
      const { state } = await kairos.bridge.get<{ state: string }>(`/messages/${uuid}`);
      if (state === 'settled') break;
      await delay(50);
    }
  }
}

async function pageThrough(kairos: Kairos, sessions: readonly string[], signal: AbortSignal): Promise<void> {
  const newest = `/sessions/${sessions[0] ?? ''}/events?limit=1`;
  const { events } = await kairos.bridge.get<{ events: readonly { seq: number }[] }>(newest);
  const count = events[0]?.seq ?? 1;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const session = sessions[turn % sessions.length] ?? '';
    // Far apart, so that the pages are not in the database's cache.
    const before = 2 + ((turn * 7_919) % count);
    await kairos.bridge.get(`/sessions/${session}/events?limit=100&before=${before}`);
    await delay(pageEveryMs);
  }
}

function readWindows(file: string): LoopWindow[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoopWindow);
}
