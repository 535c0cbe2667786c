import { errorMessage } from '../../shared/base/errors.ts';
import { errorCode } from '../../shared/base/errors.ts';
import type { Clock, Ids, Log, Sha256 } from '../../shared/base/ports.ts';
import type { BriefPolicy } from '../../shared/domain/brief.ts';
import type { BudgetLimits } from '../../shared/domain/budget.ts';
import type { SelfProtection } from '../../shared/domain/permissions/self-protection.ts';
import type { ConfiguredSession, ReadSessionConfig } from '../../shared/domain/session-config.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { WebSearch } from '../../shared/domain/web-search.ts';
import { FullDiskPatience } from './events/full-disk.ts';
import { EffectJournal } from './effects/journal.ts';
import type { Store } from './events/port.ts';
import type { ReaderClient } from './events/reader-client.ts';
import { PromptBroker } from './prompts/broker.ts';
import { viewersSurface } from './prompts/viewers-surface.ts';
import { DueTimer } from './schedule/due-timer.ts';
import { callOutlook } from './sessions/call-outlook.ts';
import { type SessionCommands, sessionCommands } from './sessions/commands.ts';
import { GateHealth } from './sessions/gate-health.ts';
import { hookNames, hookTerms } from './sessions/hook-terms.ts';
import { leaseVerbs, type VerbPorts } from './sessions/lease-verbs.ts';
import { LiveBoard } from './sessions/live-board.ts';
import type { LeasePorts } from './sessions/make-lease.ts';
import type { ModelSource } from './sessions/model-source.ts';
import { SessionRegistry } from './sessions/registry.ts';
import {
  budgetLimits,
  type SessionPolicy,
  sessionPolicy,
  sessionTerms,
  settingsConfig,
} from './sessions/session-terms.ts';
import { noticingChanges } from './settings/config-changes.ts';
import { ConfigWatch } from './settings/config-watch.ts';
import type { SessionConfigs } from './settings/session-config.ts';
import { type UsageCommands, usageCommands } from './sessions/usage-commands.ts';
import type { WorkerStarter } from './sessions/worker-port.ts';
import { ProblemBoard } from './supervision/problem-board.ts';

/** What the daemon's core needs from outside: no process, socket or file is touched without one of these. */
export interface CorePorts {
  readonly store: Store;
  readonly clock: Clock;
  /** Names this boot of the machine, so that a clock that was set while the daemon was stopped is noticed; null: not known. */
  readonly boot?: string | null;
  readonly ids: Ids;
  readonly sha256: Sha256;
  readonly log: Log;
  readonly settings: Settings;
  readonly self: SelfProtection;
  readonly workers: WorkerStarter;
  /** Environment for tools with what the settings of a session add. */
  readonly environment: VerbPorts['environment'];
  /** Settings as they are now; absent: those of `settings` hold as they are. */
  readonly configs?: Pick<SessionConfigs, 'read' | 'common' | 'own'>;
  /** Settings files whose problems are told already. */
  readonly toldBefore?: ReadonlySet<string>;
  readonly scratch: (session: string) => Promise<string>;
  readonly defaultDir: string;
  readonly models: ModelSource;
  /** What the build and the environment say about brief mode; absent: the build has it. */
  readonly brief?: Pick<BriefPolicy, 'built' | 'forced'>;
  readonly checkDir: (dir: string) => Promise<string>;
  /** Where searches of the web go; absent: by a provider's own means. */
  readonly webSearch?: WebSearch;
  /** Looks through the history; absent: nothing can. */
  readonly search?: ReaderClient['search'];
}

/** The running core; the same under the app, as a service, in tests and in the simulation. */
export interface Core {
  readonly store: Store;
  readonly registry: SessionRegistry;
  readonly broker: PromptBroker;
  readonly journal: EffectJournal;
  readonly board: LiveBoard;
  readonly problems: ProblemBoard;
  readonly commands: SessionCommands;
  readonly usage: UsageCommands;
  readonly policy: SessionPolicy;
  /** Call it before deciding by the wall clock (see DueTimer). */
  checkClock(): Promise<void>;
  /** Looks once more at what settings and hooks say: problems are those of now afterwards. */
  recheck(): Promise<void>;
  /** Recovers what a crash left, asks again what is open, and runs what may run. */
  start(): Promise<void>;
  /** The reverse; the store stays open. */
  stop(): Promise<void>;
}

/** How long an orderly stop waits for surfaces that are being told something. */
const stopGraceMs = 2_000;

/** Puts the stages together: store -> prompts, effects -> sessions -> timer. */
export function composeCore(ports: CorePorts): Core {
  const { store, clock, ids, log, settings, sha256 } = ports;
  const problems = new ProblemBoard(clock);
  const watch = makeWatch(ports, problems);
  const policy = sessionPolicy(settings, ports.self, noticingChanges(watch.configOf, decidesAnew(ports)));
  const limits = budgetLimits(settings);
  const brief = briefPolicy(ports);
  const board = new LiveBoard();
  const patience = new FullDiskPatience({ clock, problems });
  const outlook = callOutlook({ store, policy, sha256 });
  const broker = new PromptBroker({ store, clock, log, problems, outlook });
  const journal = new EffectJournal({ store, clock, log, problems, patience });
  const gates = new GateHealth(problems);
  const verbs = makeVerbs(ports, { policy, limits, brief, gates });
  const registry = new SessionRegistry({
    store,
    clock,
    ids,
    log,
    problems,
    patience,
    board,
    workers: ports.workers,
    verbs,
    scratch: ports.scratch,
    models: ports.models,
    brief,
    ...(ports.webSearch === undefined ? {} : { webSearch: ports.webSearch }),
    hooks: async (session) => {
      const terms = hookTerms(session, await policy.config(session));
      gates.holds(session.id, hookNames(terms));
      return terms;
    },
    ...runningTerms(settings),
  });
  const timer = makeTimer(ports, registry, journal);
  return {
    store,
    registry,
    broker,
    journal,
    board,
    problems,
    commands: makeCommands(ports, brief),
    usage: usageCommands({ store, limits, models: ports.models }),
    policy,
    recheck: () => recheck(ports, watch, gates),
    checkClock: () => timer.checkClock(),
    start: async () => {
      if (ports.configs) watch.tellCommon(await ports.configs.common());
      await recover(ports, patience, timer, () => registry.start());
      await broker.register(viewersSurface);
      timer.look();
      journal.pump();
    },
    stop: () => stopStages({ timer, patience, registry, journal, broker }),
  };
}

interface Stages {
  readonly timer: DueTimer;
  readonly patience: FullDiskPatience;
  readonly registry: SessionRegistry;
  readonly journal: EffectJournal;
  readonly broker: PromptBroker;
}

/** The reverse of the start. */
async function stopStages({ timer, patience, registry, journal, broker }: Stages): Promise<void> {
  timer.stop();
  patience.stop();
  await registry.stop();
  await journal.stop();
  await broker.settled(stopGraceMs);
  broker.stop();
  await timer.noteClock();
}

function makeCommands(ports: CorePorts, brief: BriefPolicy): SessionCommands {
  const { configs, settings } = ports;
  return sessionCommands({
    ...ports,
    defaultMode: settings.sessions.defaultMode,
    brief,
    ...(configs ? { bypassDisabled: async () => (await configs.common()).bypassDisabled } : {}),
  });
}

function briefPolicy({ brief, settings }: CorePorts): BriefPolicy {
  const { built, forced } = brief ?? { built: true, forced: false };
  const byDefault = settings.defaultView === 'chat';
  return { built, forced, rollout: settings.brief.enabled, byDefault };
}

/** What the settings say about sessions that run. */
function runningTerms(settings: Settings) {
  return {
    ...leaseTerms(settings),
    hibernateAfterMs: settings.sessions.hibernateAfterSeconds * 1000,
    silenceMs: settings.sessions.unresponsiveAfterSeconds * 1000,
    capacity: settings.sessions.capacity,
  };
}

interface VerbRules {
  readonly policy: SessionPolicy;
  readonly limits: BudgetLimits;
  readonly brief: BriefPolicy;
  readonly gates: GateHealth;
}

function makeVerbs(ports: CorePorts, { policy, limits, brief, gates }: VerbRules) {
  const { store, clock, sha256, models, environment } = ports;
  const { stepsPerTurn: maxSteps, callsPerReply: maxCalls } = ports.settings.agent;
  const terms = sessionTerms({ store, models, limits, policy: policy.version, brief, maxSteps, maxCalls });
  const search = ports.search ?? null;
  const runs = ports.configs === undefined ? {} : { runs: ports.configs.own };
  const wired = { policy, gates, environment, search, ...runs };
  return leaseVerbs({ store, clock, sha256, terms, limits, models, ...wired });
}

/** What a lease says of the settings. */
function leaseTerms(settings: Settings): Pick<LeasePorts, 'loop' | 'requests' | 'tasks'> {
  const { firstByteSeconds, chunkSeconds, requestMinutes, retries, retryMinutes } = settings.models;
  return {
    requests: {
      firstByteMs: firstByteSeconds * 1000,
      silenceMs: chunkSeconds * 1000,
      wholeMs: requestMinutes * 60_000,
      attempts: retries + 1,
      totalWaitMs: retryMinutes * 60_000,
    },
    loop: { repeatLimit: settings.agent.repeatLimit, sessionMemory: settings.models.sessionMemory },
    tasks: { most: settings.tasks.perSession, limitMs: settings.tasks.hours * 3_600_000 },
  };
}

/** Calls that wait for a person are planned again by the settings of now. */
function decidesAnew({ store, log }: CorePorts): () => void {
  return () => {
    store.decideAnew().catch((error: unknown) => {
      log.warn(
        { error: errorMessage(error) },
        'settings changed; waiting calls go by them once something else wakes them',
      );
    });
  };
}

/** What files say is told as it is now: of those that hold everywhere, of the sessions that worked last, and of guards that failed. */
async function recheck({ store, configs }: CorePorts, watch: ConfigWatch, gates: GateHealth): Promise<void> {
  if (configs === undefined) return;
  await watch.recheck();
  watch.tellCommon(await configs.common());
  for (const id of gates.sessions()) {
    const row = await store.session(id);
    gates.holds(id, row === null ? [] : hookNames(hookTerms(row, await configs.read(row))));
  }
}

function makeWatch(ports: CorePorts, problems: ProblemBoard): ConfigWatch {
  const { store, log, settings, configs, toldBefore } = ports;
  const ofSettings = (session: ConfiguredSession) => settingsConfig(settings, session);
  const read: ReadSessionConfig = configs?.read ?? ((session) => Promise.resolve(ofSettings(session)));
  const promptLifeMs = settings.prompts.expireAfterSeconds * 1000;
  const told = toldBefore === undefined ? {} : { toldBefore };
  const watch = new ConfigWatch({ store, log, problems, read, promptLifeMs, ...told });
  if (!configs) watch.tellCommon(ofSettings({ dir: '/', rules: null, sandbox: null }));
  return watch;
}

function makeTimer(ports: CorePorts, registry: SessionRegistry, journal: EffectJournal): DueTimer {
  return new DueTimer({
    ...ports,
    onDue: () => void onDue(ports, registry, journal),
    onSoon: (due) => void onSoon(ports, registry, due),
  });
}

/**
 * Recovers what a crash left, then lets sessions run. A full disk does not keep the daemon from starting: people have to be able
 * to see it; nothing runs until there is room.
 */
async function recover(
  ports: CorePorts,
  patience: FullDiskPatience,
  timer: DueTimer,
  begin: () => void,
): Promise<void> {
  const { store, log } = ports;
  const work = async (): Promise<void> => {
    await timer.startClock();
    await store.recoverAll();
    await store.expirePrompts();
    begin();
  };
  try {
    await work();
  } catch (error) {
    if (errorCode(error) !== 'disk_full') throw error;
    // Stopped before there was room: the next start recovers it.
    patience.run(work).catch((fault: unknown) => {
      if (errorCode(fault) !== 'disk_full')
        log.error({ error: String(fault) }, 'what a crash left could not be recovered');
    });
  }
}

async function onDue(ports: CorePorts, registry: SessionRegistry, journal: EffectJournal): Promise<void> {
  try {
    await ports.store.expirePrompts();
  } catch (error) {
    ports.log.error({ error: String(error) }, 'prompts could not be expired');
  }
  journal.pump();
  registry.retryHeld();
}

/** Workers are started a little early, so that an alarm is answered at once. */
async function onSoon({ store, log }: CorePorts, registry: SessionRegistry, due: number): Promise<void> {
  try {
    for (const session of await store.dueUntil(due)) registry.warm(session);
  } catch (error) {
    log.error({ error: errorMessage(error) }, 'what is due soon could not be read');
  }
}
