import { KairosError } from '../../shared/base/errors.ts';
import { safeModeWords } from '../../shared/protocol/safe-mode.ts';
import { defaultSettings } from '../../shared/domain/settings.ts';
import { buildsBrief } from '../node/build-flags.ts';
import { systemClock } from '../node/clock.ts';
import { acquireExclusiveLock } from '../node/exclusive-lock.ts';
import { createSystemIds } from '../node/ids.ts';
import { bridgeCommands, liveSource } from './compose-bridge.ts';
import { removeDaemonFile, writeDaemonFile } from './compose-file.ts';
import { sha256 } from './compose-parts.ts';
import { builtWindow } from './built-window.ts';
import type { DaemonOptions, DaemonRun } from './compose-run.ts';
import { type Core, composeCore } from './compose.ts';
import { createMemoryStore } from './events/memory/memory-store.ts';
import type { Store } from './events/port.ts';
import { readSettings } from './settings/settings-file.ts';
import { offlineOnly } from './sessions/model-source.ts';
import { problemChecks } from './supervision/doctor.ts';
import { type Bridge, createBridge } from './viewers/bridge.ts';

/** What safe mode is started with. */
export interface SafeOptions extends DaemonOptions {
  /** One sentence: why normal mode does not stay up. */
  readonly reason: string;
}

/** Safe mode: the control port with the reason, doctor, logs and stop; the store is not touched, nothing runs. */
export async function runSafe(options: SafeOptions): Promise<DaemonRun> {
  const { home, reason, version } = options;
  const lock = acquireExclusiveLock(home.lockDb, home.daemonFile);
  if (lock.kind === 'busy') throw new KairosError('lock_held', 'Another daemon already runs on this home.');
  const store = createMemoryStore({ clock: systemClock, ids: createSystemIds(systemClock) });
  const bridge = await safeBridge(options, store);
  const { port, url } = await bridge.listen();
  await writeDaemonFile({ home, version, token: bridge.ownerToken, port, url, safe: reason });
  return {
    url,
    stop: async () => {
      await bridge.close();
      await removeDaemonFile(home);
      await store.close();
      lock.release();
    },
  };
}

/** The whole bridge over an empty core in which nothing can be started or changed. */
async function safeBridge(options: SafeOptions, store: Store): Promise<Bridge> {
  const { home, log, reason, version } = options;
  const refuse = (): Promise<never> => Promise.reject(safeError(reason));
  const core = safeCore(options, store);
  const { settings, notices } = readSettings(home.settingsFile);
  const { why, next } = safeModeWords(reason);
  core.problems.set('safe_mode', `Safe mode: ${why}`, next);
  for (const [index, notice] of notices.entries()) {
    core.problems.set(`settings:${index}`, notice, 'Correct settings.json.');
  }
  const commands = bridgeCommands(core, {
    exportSession: refuse,
    search: refuse,
    backUp: refuse,
    models: { models: refuse, testModel: refuse, setDefaultModel: refuse },
    permissions: {
      standing: refuse,
      explain: refuse,
      trustOf: refuse,
      trusts: refuse,
      setTrust: refuse,
      revokeTrust: refuse,
    },
    doctor: () => Promise.resolve({ version, checks: problemChecks(core.problems.all()) }),
    settings: refuse,
    takeFile: refuse,
    stop: options.onStop,
  });
  return createBridge({
    store,
    commands: { ...commands, ...refusals(refuse) },
    live: liveSource(core),
    clock: systemClock,
    ids: createSystemIds(systemClock),
    sha256,
    log,
    version,
    home: home.home,
    dayLimitMicroUsd: null,
    windowDir: builtWindow(),
    safe: reason,
    announceToken: () => refuse(),
    peerCheck: () => Promise.resolve({ ok: true }),
    settings: settings.bridge,
  });
}

function safeCore({ home, log, reason }: SafeOptions, store: Store): Core {
  const refuse = (): Promise<never> => Promise.reject(safeError(reason));
  return composeCore({
    store,
    clock: systemClock,
    ids: createSystemIds(systemClock),
    sha256,
    log,
    settings: defaultSettings(),
    self: { home: home.home, scratch: home.scratchDir, words: [] },
    workers: {
      start: () => {
        throw safeError(reason);
      },
    },
    environment: refuse,
    scratch: refuse,
    defaultDir: home.home,
    models: offlineOnly,
    brief: { built: buildsBrief, forced: false },
    checkDir: refuse,
  });
}

/** Everything that would write: refused with the reason instead of being lost with the memory. */
function refusals(refuse: () => Promise<never>) {
  return {
    send: refuse,
    createSession: refuse,
    rename: refuse,
    setMode: refuse,
    setModel: refuse,
    setBrief: refuse,
    usage: refuse,
    raiseBudget: refuse,
    setPaused: refuse,
    interrupt: refuse,
    retry: refuse,
    archive: refuse,
    verdict: refuse,
  };
}

function safeError(reason: string): KairosError {
  const { why, next } = safeModeWords(reason);
  return new KairosError('safe_mode', `Kairos is in safe mode: ${why}`, { next });
}
