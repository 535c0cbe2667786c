import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { offlineOnly } from '../../electron/daemon/sessions/model-source.ts';
import { sha256 } from '../../electron/daemon/compose-parts.ts';
import { type Core, composeCore } from '../../electron/daemon/compose.ts';
import { openSqliteStore, type SqliteStore } from '../../electron/daemon/events/sqlite/open.ts';
import { WorkerProcess } from '../../electron/daemon/supervision/worker-process.ts';
import { promptForFrame } from '../../electron/daemon/viewers/topics/prompt-frame.ts';
import { systemClock } from '../../electron/node/clock.ts';
import { type Home, openHome } from '../../electron/node/home.ts';
import { createSystemIds } from '../../electron/node/ids.ts';
import { defaultSettings } from '../../shared/domain/settings.ts';
import { fixture, temporaryFolder } from '../node/support/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { owner } from './support/daemon-rig.ts';
import { largeFile, largeText } from './support/large-content.ts';

const ids = createSystemIds(systemClock);
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
let home: Home;
let work: string;
let store: SqliteStore;
let core: Core;

/** Everything of a daemon but its sockets, on a real disk with real workers. */
async function startCore(): Promise<void> {
  store = await openSqliteStore({ home, clock: systemClock, ids, log: silent, deliveryClass: () => 'blind' });
  const settings = defaultSettings();
  const parcels = (): string => join(home.parcelsDir, ids.random(8));
  const entry = fixture(import.meta.url, 'large-worker.ts');
  const env = { PATH: process.env.PATH ?? '' };
  core = composeCore({
    store,
    clock: systemClock,
    ids,
    sha256,
    log: silent,
    settings: { ...settings, sessions: { ...settings.sessions, hibernateAfterSeconds: 0.2 } },
    self: { home: home.home, scratch: home.scratchDir, words: [] },
    workers: {
      start: () =>
        new WorkerProcess({
          entry,
          cwd: home.home,
          env,
          parcels: parcels(),
          clock: systemClock,
          log: silent,
        }),
    },
    environment: () => Promise.resolve({}),
    scratch: () => Promise.resolve(home.scratchDir),
    defaultDir: work,
    models: offlineOnly,
    checkDir: (dir) => Promise.resolve(dir),
  });
  await core.start();
}

beforeEach(async () => {
  home = openHome({ KAIROS_HOME: join(temporaryFolder(), 'home') });
  work = realpathSync(temporaryFolder());
  await startCore();
});
afterEach(async () => {
  await core.stop();
  await store.close();
});

const asleep = (): Promise<unknown> =>
  waitFor(() => core.registry.workerPids().length === 0, { what: 'no worker', withinMs: 20_000 });
const killWorkers = async (): Promise<void> => {
  for (const pid of core.registry.workerPids()) process.kill(pid, 'SIGKILL');
  await asleep();
};

/** Sends a text to the session `s`; its session's id. */
async function send(text: string): Promise<string> {
  return (await core.commands.send({ text, uuid: ids.next('uid'), session: 's' }, owner)).session;
}

/** The bodies of all events of a type. */
async function bodies(session: string, type: string): Promise<unknown[]> {
  const events = await store.events(session, { after: 0, limit: 1000 });
  return events.filter((event) => event.type === type).map((event) => event.body);
}

test('a Write of 3 MB is shown whole, and runs as shown after a hibernation, kill -9 and a new daemon', async () => {
  const session = await send('write');
  const prompt = await waitFor(async () => (await store.prompts({ state: 'open', limit: 1 }))[0], {
    what: 'the question',
    withinMs: 20_000,
  });
  await killWorkers();
  await core.stop();
  await store.close();
  await startCore();
  await asleep();
  const path = join(work, 'large.txt');
  const framed = promptForFrame(prompt);
  const verdict = { behavior: 'allow', scope: 'once' } as const;
  const by = { principal: 'owner', surface: 'viewers', at: systemClock.now() };
  const outcome = (await core.broker.verdict(prompt.code, verdict, by, true)).outcome;
  await waitFor(async () => (await bodies(session, 'turn.ended')).length > 0, {
    what: 'the end of the turn',
    withinMs: 20_000,
  });
  expect({
    whole: prompt.preview === `${path}\nnew file:\n\n${largeFile}`,
    framed: [JSON.stringify(framed).length < 256 * 1024, framed.previewCut],
    outcome,
    written: readFileSync(path, 'utf8') === largeFile,
    ended: (await bodies(session, 'call.ended')).length,
  }).toEqual({ whole: true, framed: [true, true], outcome: 'accepted', written: true, ended: 1 });
}, 60_000);

test('a reply of 5 MB and the context that holds it are stored whole, beside the database, and given back after kill -9', async () => {
  const session = await send('talk');
  await waitFor(async () => (await bodies(session, 'turn.ended')).length === 1, {
    what: 'the end of the turn',
    withinMs: 20_000,
  });
  await killWorkers();
  await send('and now?');
  await waitFor(async () => (await bodies(session, 'turn.ended')).length === 2, {
    what: 'the next turn',
    withinMs: 20_000,
  });
  await asleep();
  const replies = (await bodies(session, 'step.replied')) as { reply: { parts: { text?: string }[] } }[];
  const row = await store.session(session);
  const context = Buffer.from((await store.blob(row?.context ?? '')) ?? []).toString();
  expect({
    said: replies[0]?.reply.parts[0]?.text === largeText,
    context: context.includes(JSON.stringify(largeText)),
    parked: row?.parked,
    small: statSync(home.storeDb).size < 1024 * 1024,
    parcels: readdirSync(home.parcelsDir),
  }).toEqual({ said: true, context: true, parked: null, small: true, parcels: [] });
}, 60_000);
