import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KairosError, errorMessage } from '../../shared/base/errors.ts';
import type { Log } from '../../shared/base/ports.ts';
import type { ParsedSettings, Settings } from '../../shared/domain/settings.ts';
import { systemClock } from '../node/clock.ts';
import { personPlace } from '../node/person-place.ts';
import { acquireExclusiveLock } from '../node/exclusive-lock.ts';
import { homeId } from '../node/home-id.ts';
import { releaseMemory } from '../node/release-memory.ts';
import type { Home } from '../node/home.ts';
import { createSystemIds } from '../node/ids.ts';
import { bootIdentity } from '../node/process-table.ts';
import { sweepParcels } from '../node/parcels.ts';
import { runMark, sweepRun } from '../node/sweep.ts';
import { workerEnvironment } from '../node/tool-environment.ts';
import { builtWindow } from './built-window.ts';
import { bridgeCommands, liveSource } from './compose-bridge.ts';
import {
  bridgeUrl,
  rememberPort,
  rememberedPort,
  removeDaemonFile,
  writeDaemonFile,
} from './compose-file.ts';
import { makeModels, modelCommands, tellOfModels } from './compose-model.ts';
import {
  checkDir,
  loginEnvironmentOnce,
  makeScratch,
  peerCheck,
  runMarker,
  selfWords,
  sha256,
  toolVariables,
  switchesOf,
} from './compose-parts.ts';
import { attachStandIn } from './compose-stand-in.ts';
import { makeConfigs, permissionCommands } from './compose-permissions.ts';
import { type Core, composeCore } from './compose.ts';
import type { Store } from './events/port.ts';
import { requireEarlierStore } from './events/sqlite/earlier-store.ts';
import { openSqliteStore, type SqliteStore } from './events/sqlite/open.ts';
import { createReaderClient, type ReaderClient } from './events/reader-client.ts';
import { Upkeep } from './schedule/upkeep.ts';
import { budgetLimits } from './sessions/session-terms.ts';
import type { WorkerStarter } from './sessions/worker-port.ts';
import { takeFile } from './sessions/take-file.ts';
import { settingsReport } from './settings/settings-report.ts';
import { settingsTeller } from './settings/tell-settings.ts';
import { managedSettingsFile } from './settings/managed-file.ts';
import { readSettings } from './settings/settings-file.ts';
import { type BudgetFacts, doctorChecks, type ParkedSession } from './supervision/doctor.ts';
import { factsProcess } from './supervision/facts-process.ts';
import { tellStoreLoss } from './supervision/store-loss.ts';
import { tidyWhenQuiet } from './supervision/tidy-when-quiet.ts';
import { watchOwnFile } from './supervision/watch-own-file.ts';
import { WorkerProcess } from './supervision/worker-process.ts';
import { type Bridge, createBridge } from './viewers/bridge.ts';
import type { PermissionCommands } from './viewers/ports.ts';

/** A daemon that is ready. */
export interface DaemonRun {
  readonly url: string;
  /** The reverse of the start; safe to call once. */
  stop(): Promise<void>;
}

/** What a daemon is started with; the home is open (`openHome`), its lock is not taken yet. */
export interface DaemonOptions {
  readonly home: Home;
  readonly log: Log;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked to stop over the bridge. */
  readonly onStop: (reason: string) => void;
  /** The home was deleted or its lock replaced: this process owns nothing any more. */
  readonly onLost: () => void;
  /** The administrator's settings; absent: where this system keeps them. */
  readonly managedFile?: string;
}

/** Path of a program beside this one, in the bundle or in the sources. */
function siblingProgram(bundled: string, source: string): string {
  const fromSource = import.meta.url.endsWith('.ts');
  return fileURLToPath(new URL(fromSource ? source : `./${bundled}`, import.meta.url));
}

/** Starts the daemon in numbered steps; a fault undoes the steps before it. Rejects with `lock_held` when another daemon has this home. */
export async function runDaemon(options: DaemonOptions): Promise<DaemonRun> {
  const { home, log } = options;
  const undo: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    // 1. The lock: the only writer of this home.
    const lock = acquireExclusiveLock(home.lockDb, home.daemonFile);
    if (lock.kind === 'busy') throw lockHeld(home, lock.holder?.pid);
    undo.push(() => lock.release());
    undo.push(watchOwnFile(home.lockDb, options.onLost));
    // 2. What is left of an earlier run.
    const run = createSystemIds(systemClock).random(8);
    const mark = runMark(homeId(home.home), run);
    const swept = await sweepRun({ marker: runMarker, homeId: homeId(home.home), exceptRun: run });
    if (swept.length > 0) log.warn({ swept }, 'processes of an earlier run were found and ended');
    sweepParcels(home.parcelsDir);
    // 3. Settings and store.
    const managedFile = options.managedFile ?? managedSettingsFile(process.platform, options.env);
    const settings = readSettings(home.settingsFile, managedFile);
    const deliveryClass: DeliveryClass = { of: () => 'blind' };
    const store = await openStore(options, deliveryClass);
    undo.push(() => store.close());
    undo.push(watchOwnFile(home.storeDb, options.onLost));
    // 4. The core, and what it needs of this machine.
    const port: { value: number | null } = { value: null };
    const boot = await bootIdentity();
    const reader = makeReader(options, store);
    const input = { ...options, settings, managedFile, store, mark, port, boot, reader };
    const { core, ...commands } = makeCore(input);
    deliveryClass.of = (surface) => core.journal.classOf(surface);
    await tellStoreLoss({ ...core, lostEvents: store.lostEvents, clock: systemClock, log });
    await core.start();
    undo.push(() => core.stop());
    undo.push(tidyBetweenSessions(core));
    // Readers, for what scans, end first: nobody waits for a search.
    undo.push(() => reader.endAll());
    undo.push(careFor(options, core, reader));
    const detach = await attachStandIn(core, options.env);
    if (detach) undo.push(detach);
    // 5. The bridge.
    const bridge = await makeBridge({ ...input, ...commands, core });
    const listening = await bridge.listen();
    port.value = listening.port;
    undo.push(() => bridge.close());
    if (listening.notice) core.problems.set('port', listening.notice, freePort);
    // 6. Where others find it.
    await rememberPort(store, listening.port);
    undo.push(() => removeDaemonFile(home));
    await writeDaemonFile({ ...options, token: bridge.ownerToken, ...listening, safe: null });
    return { url: listening.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a delivery to a surface can promise; known once the core is there. */
interface DeliveryClass {
  of: (surface: string) => ReturnType<Core['journal']['classOf']>;
}

/** The store of this home; rejects with `store_missing` where an empty one would hide a loss. */
function openStore({ home, log }: DaemonOptions, deliveryClass: DeliveryClass): Promise<SqliteStore> {
  requireEarlierStore(home, log);
  return openSqliteStore({
    home,
    markFile: home.storeMark,
    clock: systemClock,
    ids: createSystemIds(systemClock),
    log,
    deliveryClass: (surface) => deliveryClass.of(surface),
  });
}

const freePort = 'Free the port or change bridge.port, then: kairos daemon restart';

function careFor({ log }: DaemonOptions, { store, problems }: Core, reader: ReaderClient): () => void {
  const upkeep = new Upkeep({ store, problems, check: () => reader.check(), clock: systemClock, log });
  return () => upkeep.stop();
}

function tidyBetweenSessions({ board, registry }: Core): () => void {
  return tidyWhenQuiet({
    clock: systemClock,
    onLive: (listener) => board.onLive(listener),
    running: () => registry.runningCount,
    tidy: releaseMemory,
  });
}

function makeReader({ home, log }: DaemonOptions, store: SqliteStore): ReaderClient {
  const entry = siblingProgram('reader.js', './events/reader/main.ts');
  const reader = createReaderClient({ entry, home, clock: systemClock, log });
  // A reader that holds an old snapshot makes the write-ahead log grow.
  store.onWalPressure(() => reader.endAll());
  return reader;
}

function lockHeld(home: Home, pid: number | undefined): KairosError {
  const who = pid === undefined ? 'Another daemon' : `The daemon with pid ${pid}`;
  return new KairosError('lock_held', `${who} already runs on ${home.home}.`, {
    next: 'See: kairos daemon status',
  });
}

function workerStarter({ home, log, env: own }: DaemonOptions, mark: string): WorkerStarter {
  const entry = siblingProgram('worker.js', '../worker/main.ts');
  const env = workerEnvironment({ from: own, run: mark });
  return {
    start: () => {
      const parcels = join(home.parcelsDir, createSystemIds(systemClock).random(8));
      return new WorkerProcess({ entry, cwd: home.home, env, parcels, clock: systemClock, log });
    },
  };
}

function makeFacts({ home, env: own }: DaemonOptions, mark: string): ReturnType<typeof factsProcess> {
  const entry = siblingProgram('facts.js', '../worker/facts/main.ts');
  const env = workerEnvironment({ from: own, run: mark });
  return factsProcess({ entry, cwd: home.home, env, clock: systemClock });
}

async function sessionFacts(
  store: Store,
  settings: Settings,
): Promise<{ budget: BudgetFacts; parked: ParkedSession[] }> {
  const { spent, limits } = await store.budgetState(budgetLimits(settings));
  const summaries = await store.summaries({ archived: false });
  const stopped = summaries.filter(({ session }) => session.parked?.code === 'budget').length;
  const parked = summaries.flatMap(({ session: { parked, name, id } }) =>
    parked === null ? [] : [{ name: name ?? id, reason: parked.reason }],
  );
  return { budget: { spent: spent.dayMicroUsd, most: limits.dayMicroUsd, stopped }, parked };
}

interface CoreInput extends DaemonOptions {
  readonly settings: ParsedSettings;
  readonly managedFile: string;
  readonly store: Store;
  readonly mark: string;
  readonly port: { readonly value: number | null };
  readonly boot: string | null;
  readonly reader: ReaderClient;
}

interface MadeCore {
  readonly core: Core;
  readonly models: ReturnType<typeof modelCommands>;
  readonly permissions: PermissionCommands;
  readonly doctor: Parameters<typeof bridgeCommands>[1]['doctor'];
}

function makeCore(input: CoreInput): MadeCore {
  const { home, log, mark, store } = input;
  const { settings, notices } = input.settings;
  const realHome = realpathSync(home.home);
  const login = loginEnvironmentOnce(log);
  const { settingsFile } = home;
  const models = makeModels({ settings: settings.models, settingsFile, env: input.env, login, mark });
  const words = selfWords(realHome, () => input.port.value);
  const files = { managedFile: input.managedFile, userFile: settingsFile };
  const configs = makeConfigs({ ...files, store, home: realHome });
  const ownDir = (dir: string): Promise<string> => checkDir(dir, realHome);
  const toldBefore = new Set<string>();
  const core = composeCore({
    store,
    clock: systemClock,
    boot: input.boot,
    ids: createSystemIds(systemClock),
    sha256,
    log,
    settings,
    self: {
      home: realHome,
      scratch: `${realHome}/scratch`,
      person: personPlace(),
      get words() {
        return words.words;
      },
    },
    workers: workerStarter(input, mark),
    environment: (own) => toolVariables(login(), mark, own),
    configs,
    toldBefore,
    scratch: (session) => makeScratch(home, session),
    defaultDir: homedir(),
    models,
    search: (...wanted) => input.reader.search(...wanted),
    ...switchesOf(settings, input.env),
    checkDir: ownDir,
  });
  const tellNotices = settingsTeller(core.problems, settingsFile, toldBefore);
  tellNotices(notices);
  tellOfModels(models, core.problems);
  const { defaultMode } = settings.sessions;
  const parts = { ...files, core, configs, checkDir: ownDir, defaultMode };
  return {
    core,
    doctor: makeDoctor(input, { core, models, login, configs, tellNotices }),
    permissions: permissionCommands({ ...parts, gatherFacts: makeFacts(input, mark) }),
    models: modelCommands(models, core.problems),
  };
}

interface DoctorParts {
  readonly core: Core;
  readonly models: ReturnType<typeof makeModels>;
  readonly login: ReturnType<typeof loginEnvironmentOnce>;
  readonly configs: Pick<ReturnType<typeof makeConfigs>, 'common'>;
  readonly tellNotices: (notices: readonly string[]) => void;
}

/** Files are read anew first: what is told is what holds now, not what the last call saw. */
function makeDoctor(
  { home, managedFile, settings: { settings }, store, version }: CoreInput,
  { core, models, login, configs, tellNotices }: DoctorParts,
): MadeCore['doctor'] {
  const filesNow = async () => {
    const { entries, notices } = settingsReport(home.settingsFile, managedFile, settings);
    tellNotices(notices);
    await core.recheck();
    const { sandbox } = await configs.common();
    return { sandboxMode: sandbox.mode, later: entries.flatMap(({ name, later }) => (later ? [name] : [])) };
  };
  return async () => ({
    version,
    checks: await doctorChecks({
      ...(await filesNow()),
      home: home.home,
      problems: core.problems.all(),
      health: await store.health().catch((error: unknown) => ({ error: errorMessage(error) })),
      environment: await login(),
      settings,
      model: await models.defaultModel(),
      running: core.registry.runningCount,
      ...(await sessionFacts(store, settings)),
    }),
  });
}

interface BridgeInput extends DaemonOptions, MadeCore {
  readonly settings: ParsedSettings;
  readonly managedFile: string;
  readonly mark: string;
  readonly port: { readonly value: number | null };
  readonly reader: ReaderClient;
}

async function makeBridge(input: BridgeInput): Promise<Bridge> {
  const { core, home, log, settings } = input;
  const { reader } = input;
  const taking = {
    store: core.store,
    ids: createSystemIds(systemClock),
    scratch: (session: string) => makeScratch(home, session),
  };
  const commands = bridgeCommands(core, {
    exportSession: (session) => reader.exportSession(session),
    search: async (query, limit, session) =>
      (await reader.search(query, limit, session === null ? {} : { session })).hits,
    backUp: (to) => reader.backUp(to),
    models: input.models,
    permissions: input.permissions,
    doctor: input.doctor,
    settings: async () => settingsReport(home.settingsFile, input.managedFile, settings.settings),
    takeFile: (sent) => takeFile(taking, sent),
    stop: input.onStop,
  });
  return createBridge({
    store: core.store,
    commands,
    live: liveSource(core),
    clock: systemClock,
    ids: createSystemIds(systemClock),
    sha256,
    log,
    version: input.version,
    home: home.home,
    dayLimitMicroUsd:
      settings.settings.budgets.dayUsd === null ? null : settings.settings.budgets.dayUsd * 1_000_000,
    windowDir: builtWindow(),
    rememberedPort: await rememberedPort(core.store),
    announceToken: (token) => {
      const port = input.port.value ?? 0;
      return writeDaemonFile({
        ...input,
        token,
        port,
        url: bridgeUrl(settings.settings.bridge.host, port),
        safe: null,
      });
    },
    peerCheck: peerCheck(() => core.registry.workerPids(), input.mark),
    settings: settings.settings.bridge,
  });
}
