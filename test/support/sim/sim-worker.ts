import type { StopSignal } from '../../../shared/base/ports.ts';
import {
  type DaemonToWorker,
  type WorkerToDaemon,
  workerLinkVersion,
  workerToDaemonSchema,
} from '../../../shared/protocol/worker-link.ts';
import type { WorkerConnection } from '../../../electron/daemon/sessions/worker-port.ts';
import { Leases } from '../../../electron/worker/links/leases.ts';
import { LinkClient } from '../../../electron/worker/links/link-client.ts';
import { listenToDaemon } from '../../../electron/worker/links/worker-link.ts';
import { Life } from './life.ts';
import type { WorkerPoint } from './plan.ts';
import { simRunner } from './sim-runner.ts';
import type { WorkerPlace } from './worker-place.ts';

/** What a simulated worker needs of the world. */
export interface WorkerWorld extends Omit<WorkerPlace, 'life' | 'point' | 'pause' | 'wait'> {
  /** True when an armed crash says that this process dies here. */
  diesAt(point: WorkerPoint): boolean;
  /** A frame of a worker arrives; true when the daemon died of it. */
  received(): boolean;
  onGone(worker: SimWorker): void;
}

type Exit = { readonly reason: string };

/** A worker process without a process: the real link and loop behind two lanes of the scheduler. */
export class SimWorker implements WorkerConnection {
  readonly pid: number;
  readonly life: Life;
  readonly #world: WorkerWorld;
  readonly #messageListeners: ((message: WorkerToDaemon) => void)[] = [];
  readonly #exitListeners: ((end: Exit) => void)[] = [];
  #incoming: ((message: unknown) => void) | null = null;
  #close: (() => void) | null = null;
  #exited = false;
  #hangs = false;

  constructor(world: WorkerWorld, number: number) {
    this.#world = world;
    this.pid = 1000 + number;
    this.life = new Life(`w${number}`);
    world.scheduler.push(this.#down, this.life, 'boot', () => this.#boot());
  }

  get #down(): string {
    return `${this.life.name}.down`;
  }

  get #up(): string {
    return `${this.life.name}.up`;
  }

  send(message: DaemonToWorker): void {
    if (!this.#world.daemon.alive || this.#exited || this.#hangs) return;
    const text = JSON.stringify(message);
    this.#world.scheduler.push(this.#down, this.life, this.#label(message), () =>
      this.#incoming?.(JSON.parse(text)),
    );
  }

  onMessage(listener: (message: WorkerToDaemon) => void): void {
    this.#messageListeners.push(listener);
  }

  onExit(listener: (end: Exit) => void): void {
    this.#exitListeners.push(listener);
  }

  /** SIGKILL: what was sent may still arrive, all or a part of it, even after the exit was noticed. */
  kill(reason = 'killed by SIGKILL'): void {
    if (this.#exited) return;
    const { scheduler, random } = this.#world;
    if (random.chance(0.5)) {
      const kept = scheduler.empty(this.#up);
      for (const item of kept.slice(0, random.below(kept.length + 1)))
        scheduler.push(this.#up, item.life, item.label, item.run);
    }
    this.#exit(reason, random.chance(0.2) ? `${this.life.name}.exit` : this.#up);
  }

  /** An endless loop: it hears nothing, says nothing and runs nothing any more, until it is killed. */
  hang(): void {
    this.#hangs = true;
    this.life.end();
  }

  /** The daemon died: the process ends by itself, now or a moment later. */
  orphan(): void {
    const { random, scheduler } = this.#world;
    const left = random.chance(0.3) ? random.between(1, 5000) : 0;
    if (left === 0) {
      this.life.end();
      this.#close?.();
    } else {
      scheduler.time.clock(this.life).after(left, () => this.life.end());
    }
  }

  #label(message: DaemonToWorker | WorkerToDaemon): string {
    return this.#world.scheduler.traced ? label(message) : message.type;
  }

  #exit(reason: string, lane: string): void {
    this.#exited = true;
    this.life.end();
    const { scheduler, daemon } = this.#world;
    scheduler.push(lane, daemon, `exit (${reason})`, () => {
      this.#world.onGone(this);
      for (const listener of this.#exitListeners) listener({ reason });
    });
  }

  #boot(): void {
    if (this.#world.diesAt('boot')) return this.#exit('exit code 1', this.#up);
    const transport = {
      send: (message: WorkerToDaemon, left?: () => void) => this.#sendUp(message, left),
      onMessage: (listener: (message: unknown) => void) => void (this.#incoming = listener),
      onClose: (listener: () => void) => void (this.#close = listener),
    };
    const client = new LinkClient(transport);
    const report = (entry: Record<string, unknown>): void => this.#reported(entry);
    const leases = new Leases({
      transport,
      client,
      clock: this.#world.scheduler.time.clock(this.life),
      report,
      makeRunner: (lease, port) => simRunner(this.#place(), lease, port),
      onAllGone: () => this.#exit('exit code 0', this.#up),
    });
    listenToDaemon({
      transport,
      client,
      leases,
      report,
      onForeignVersion: () => this.#exit('foreign version', this.#up),
    });
    transport.send({ type: 'ready', version: workerLinkVersion, pid: this.pid });
  }

  #sendUp(message: WorkerToDaemon, left?: () => void): boolean {
    if (!this.life.alive || !this.#world.daemon.alive) return true;
    const text = JSON.stringify(message);
    this.#world.scheduler.push(this.#up, this.#world.daemon, this.#label(message), () => {
      left?.();
      if (this.#world.received()) return;
      const frame = workerToDaemonSchema.parse(JSON.parse(text));
      for (const listener of this.#messageListeners) listener(frame);
    });
    if (message.type === 'ask' && this.#world.diesAt('frame.sent')) this.kill();
    return true;
  }

  #reported(entry: Record<string, unknown>): void {
    const full = this.#world.ledgers.diskWasFull && String(entry.message).includes('disk is full');
    if (entry.event !== 'unasked_answer' && !full)
      this.#world.ledgers.alarms.push(`worker report: ${JSON.stringify(entry)}`);
  }

  #place(): WorkerPlace {
    const { scheduler } = this.#world;
    const lane = `${this.life.name}.run`;
    return {
      ...this.#world,
      life: this.life,
      point: (name) =>
        new Promise((resolve) => {
          scheduler.push(lane, this.life, name, () => {
            if (this.#world.diesAt(name)) this.kill();
            else resolve();
          });
        }),
      pause: (text) => scheduler.reach(lane, this.life, text),
      wait: (ms, signal) => wait(scheduler.time.clock(this.life), ms, signal),
    };
  }
}

function wait(
  clock: { after(ms: number, fn: () => void): () => void },
  ms: number,
  signal: StopSignal,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}

function label(message: DaemonToWorker | WorkerToDaemon): string {
  switch (message.type) {
    case 'ask':
      return `ask ${message.verb} ${message.session}`;
    case 'answer':
      return `answer ${JSON.stringify(message.output).slice(0, 60)}`;
    case 'fault':
      return `fault ${message.error.code}`;
    case 'released':
      return `released ${message.session} ${message.why}`;
    case 'release':
      return `release ${message.session}${message.interrupt ? ' (interrupt)' : ''}`;
    case 'lease':
      return `lease ${message.lease.session}`;
    default:
      return message.type;
  }
}
