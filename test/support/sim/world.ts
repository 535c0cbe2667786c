import { type Core, composeCore } from '../../../electron/daemon/compose.ts';
import {
  createMemoryDisk,
  createMemoryStore,
  type MemoryStore,
} from '../../../electron/daemon/events/memory/memory-store.ts';
import type { ToolPort } from '../../../electron/worker/agent/ports.ts';
import { errorMessage } from '../../../shared/base/errors.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import type { ContextVault } from '../scripted-runner.ts';
import { Alarms } from './alarms.ts';
import { Armed } from './armed.ts';
import { Ledgers } from './ledgers.ts';
import { Life } from './life.ts';
import { type DaemonPoint, type Plan, type PlatformName, platformNames, type WorkerPoint } from './plan.ts';
import { Random } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { createSimIds } from './sim-ids.ts';
import { type PlatformWorld, SimPlatform } from './sim-platform.ts';
import { simModels } from './sim-models.ts';
import { simPhone } from './sim-phone.ts';
import { sha256 } from './sim-tools.ts';
import { SimWorker } from './sim-worker.ts';
import { slowReads } from './slow-reads.ts';
import { VirtualTime } from './virtual-time.ts';

/** One start of the daemon. */
export interface Daemon {
  readonly life: Life;
  readonly store: MemoryStore;
  readonly core: Core;
  readonly workers: Set<SimWorker>;
  started: boolean;
  stopping: boolean;
}

/** Parts that a test may replace, to see whether the oracle notices. */
export interface Sabotage {
  store?(store: MemoryStore, world: World): MemoryStore;
  core?(core: Core, world: World): void;
  tools?(tools: ToolPort): ToolPort;
  /** The class that deliveries to a platform are planned with. */
  readonly deliveryClass?: (platform: PlatformName) => PlatformName;
}

const startWall = Date.UTC(2026, 10, 30, 9);

/** The machine: everything that outlives the daemon, and the daemon when it runs. */
export class World {
  readonly plan: Plan;
  readonly random: Random;
  readonly time = new VirtualTime(startWall);
  readonly scheduler: Scheduler;
  readonly ledgers = new Ledgers();
  readonly alarms: Alarms;
  readonly files = new Map<string, string>();
  readonly faults = { modelDown: false, hostBroken: false };
  readonly vault: ContextVault = new Map();
  readonly disk = createMemoryDisk();
  readonly platforms: Readonly<Record<PlatformName, SimPlatform>>;
  readonly armedWorker = new Armed<WorkerPoint>();
  readonly armedDaemon = new Armed<DaemonPoint>();
  readonly trace: ((line: string) => void) | null;
  daemon: Daemon | null = null;
  /** Nothing fails any more: the schedule is over and everything has to come to its end. */
  calm = false;
  readonly #ids;
  readonly #life = new Life('world');
  readonly #sabotage: Sabotage;
  #daemons = 0;
  #workers = 0;
  #phones = 0;
  #downMs = 0;

  constructor(plan: Plan, options: { trace?: ((line: string) => void) | null; sabotage?: Sabotage } = {}) {
    this.plan = plan;
    this.trace = options.trace ?? null;
    this.#sabotage = options.sabotage ?? {};
    this.random = new Random(plan.seed, 'world');
    this.scheduler = new Scheduler(this.time, new Random(plan.seed, 'scheduler'), this.trace);
    this.alarms = new Alarms(this.ledgers, () => this.disk.full);
    this.#ids = createSimIds(new Random(plan.seed, 'ids'));
    this.platforms = Object.fromEntries(
      platformNames.map((name) => [name, new SimPlatform(name, this.#platformParts())]),
    ) as World['platforms'];
  }

  /** Starts a daemon on the disk. */
  boot(): void {
    this.#daemons += 1;
    const life = new Life(`d${this.#daemons}`);
    this.trace?.(`t=${this.time.mono} boot ${life.name}`);
    const store = this.#store(life);
    const workers = new Set<SimWorker>();
    const core = composeCore({
      store: this.plan.slowReads ? slowReads(store, this.scheduler, life) : store,
      clock: { ...this.time.clock(life), sinceBoot: () => this.time.sinceBoot },
      boot: 'the one boot',
      ids: this.#ids,
      sha256,
      log: this.alarms.log(life),
      settings: this.#settings(),
      self: { home: '/home/.kairos', scratch: '/home/.kairos/scratch', words: ['.kairos', '4711'] },
      workers: { start: () => this.#startWorker(life, workers) },
      environment: () => this.#later(life, 'environment', {}),
      scratch: (session) => this.#later(life, 'scratch', `/home/.kairos/scratch/${session}`),
      defaultDir: '/w',
      models: simModels,
      checkDir: async (dir) => dir,
    });
    this.#sabotage.core?.(core, this);
    const daemon: Daemon = { life, store, core, workers, started: false, stopping: false };
    this.daemon = daemon;
    const early = this.random.chance(0.5);
    if (early) this.#connect(daemon);
    core.start().then(
      () => {
        if (!life.alive) return;
        daemon.started = true;
        if (!early) this.#connect(daemon);
        this.connectPhone(daemon);
      },
      (error: unknown) => {
        if (!life.alive) return;
        if (!this.disk.full) this.ledgers.alarms.push(`start failed: ${errorMessage(error)}`);
        this.crash(1000);
      },
    );
  }

  /** kill -9 of the daemon; it is back after `downMs`. Works from inside of anything the daemon does. */
  crash(downMs: number): void {
    const { daemon } = this;
    if (!daemon) return;
    this.trace?.(`t=${this.time.mono} CRASH ${daemon.life.name}`);
    this.ledgers.crashes.daemon += 1;
    this.#end(daemon);
    this.time.clock(this.#life).after(downMs, () => this.boot());
  }

  /** An orderly stop and a start after `downMs`. */
  restart(downMs: number): void {
    const { daemon } = this;
    if (!daemon?.started || daemon.stopping) return;
    daemon.stopping = true;
    this.trace?.(`t=${this.time.mono} stop ${daemon.life.name}`);
    const asked = this.time.mono;
    void this.#stopInOrder(daemon).then(() => {
      if (!daemon.life.alive) return;
      if (this.time.mono - asked > 30_000 && !this.disk.full)
        this.ledgers.alarms.push('an orderly stop took longer than 30 s');
      this.ledgers.restarts += 1;
      this.#end(daemon);
      this.time.clock(this.#life).after(downMs, () => this.boot());
    });
  }

  async #stopInOrder({ core, store }: Daemon): Promise<void> {
    try {
      await core.stop();
      await store.close();
    } catch (error) {
      this.ledgers.alarms.push(`an orderly stop failed: ${errorMessage(error)}`);
    }
  }

  /** The phone comes (back). */
  connectPhone(daemon: Daemon): void {
    const { broker } = daemon.core;
    broker.unregister('phone');
    broker
      .register(simPhone(this.#platformParts(), daemon.life, (this.#phones += 1)))
      .catch((error: unknown) => {
        if (daemon.life.alive && !daemon.stopping)
          this.ledgers.alarms.push(`the phone could not be registered: ${errorMessage(error)}`);
      });
  }

  /** Kills one of the running workers. */
  killWorker(pick: number): void {
    const workers = [...(this.daemon?.workers ?? [])];
    const worker = workers[pick % Math.max(1, workers.length)];
    if (!worker) return;
    this.ledgers.crashes.worker += 1;
    worker.kill();
  }

  /** Lets one of the running workers hang. */
  hangWorker(pick: number): void {
    const workers = [...(this.daemon?.workers ?? [])];
    const worker = workers[pick % Math.max(1, workers.length)];
    if (!worker) return;
    this.ledgers.hangs += 1;
    worker.hang();
  }

  /** Arms a crash of the daemon; the down time is that of the newest order. */
  armDaemon(point: DaemonPoint, nth: number, downMs: number): void {
    this.#downMs = downMs;
    this.armedDaemon.add(point, nth, 1);
  }

  #end(daemon: Daemon): void {
    daemon.life.end();
    daemon.store.crash();
    for (const worker of daemon.workers) worker.orphan();
    for (const platform of Object.values(this.platforms)) platform.cut();
    this.daemon = null;
  }

  #store(life: Life): MemoryStore {
    const store = createMemoryStore({
      clock: this.time.clock(life),
      ids: this.#ids,
      disk: this.disk,
      log: this.alarms.log(life),
      deliveryClass: (surface) => this.#deliveryClass(surface),
      schedule: (flush) => this.scheduler.push('commit', life, 'commit', flush),
      boundary: (name, side) => {
        if (life.alive && name.startsWith('commit.'))
          this.#daemonDiesAt(side === 'before' ? 'commit.before' : 'commit.after');
      },
    });
    store.onCommit(({ events }) => {
      this.ledgers.lastEvent = Math.max(this.ledgers.lastEvent, events.at(-1)?.id ?? 0);
    });
    return this.#sabotage.store?.(store, this) ?? store;
  }

  #deliveryClass(surface: string): PlatformName {
    const platform = platformNames.find((name) => name === surface);
    if (!platform) return 'blind';
    return this.#sabotage.deliveryClass?.(platform) ?? platform;
  }

  #startWorker(life: Life, workers: Set<SimWorker>): SimWorker {
    this.#workers += 1;
    const worker = new SimWorker(
      {
        ...this.#parts(),
        daemon: life,
        files: this.files,
        faults: this.faults,
        sabotageTools: (tools) => this.#sabotage.tools?.(tools) ?? tools,
        vault: this.vault,
        diesAt: (point) => this.#workerDiesAt(point),
        received: () => this.#daemonDiesAt('frame.received'),
        onGone: (gone) => workers.delete(gone),
      },
      this.#workers,
    );
    if (life.alive) workers.add(worker);
    return worker;
  }

  #parts(): { scheduler: Scheduler; random: Random; ledgers: Ledgers } {
    return { scheduler: this.scheduler, random: this.random, ledgers: this.ledgers };
  }

  #platformParts(): PlatformWorld {
    return { ...this.#parts(), calm: () => this.calm, daemonDiesAt: (point) => this.#daemonDiesAt(point) };
  }

  #workerDiesAt(point: WorkerPoint): boolean {
    if (this.calm || !this.armedWorker.fires(point)) return false;
    this.ledgers.crashes.worker += 1;
    return true;
  }

  #daemonDiesAt(point: DaemonPoint): boolean {
    if (this.calm || !this.armedDaemon.fires(point)) return false;
    this.crash(this.#downMs);
    return true;
  }

  #connect(daemon: Daemon): void {
    for (const platform of Object.values(this.platforms))
      daemon.core.journal.register(platform.port(daemon.life));
  }

  #settings(): ReturnType<typeof defaultSettings> {
    const defaults = defaultSettings();
    const { capacity, hibernateSeconds, promptSeconds, budgets } = this.plan;
    return {
      ...defaults,
      sessions: { ...defaults.sessions, capacity, hibernateAfterSeconds: hibernateSeconds },
      prompts: { expireAfterSeconds: promptSeconds },
      budgets: { ...defaults.budgets, ...budgets },
      permissions: { allow: ['Bash(free)'], ask: [], deny: ['Bash(forbidden)'] },
    };
  }

  #later<Value>(life: Life, what: string, value: Value): Promise<Value> {
    return this.scheduler.reach('host', life, what).then(() => {
      if (this.faults.hostBroken) throw new Error(`the host has no ${what}`);
      return value;
    });
  }
}
