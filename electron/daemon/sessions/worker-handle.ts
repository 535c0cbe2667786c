import { assertNever } from '../../../shared/base/assert-never.ts';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { Cancel, Clock, Log } from '../../../shared/base/ports.ts';
import {
  type DaemonToWorker,
  type Lease,
  type LinkVerb,
  type WorkerToDaemon,
  workerLinkVersion,
} from '../../../shared/protocol/worker-link.ts';
import { Heartbeat } from './heartbeat.ts';
import type { HookTerms } from './hook-terms.ts';
import { storesNothing } from './quiet.ts';
import type { WorkerConnection } from './worker-port.ts';

type Frame<Type extends WorkerToDaemon['type']> = Extract<WorkerToDaemon, { type: Type }>;

/** What the registry hears from one worker. */
export interface WorkerEvents {
  ask(frame: Frame<'ask'>): Promise<unknown>;
  draft(frame: Frame<'draft'>): void;
  activity(frame: Frame<'activity'>): void;
  released(frame: Frame<'released'>): void;
  exited(worker: WorkerHandle, reason: string): void;
}

/** What a worker is watched with; one that says nothing for `silenceMs` is killed. */
export interface HandlePorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly silenceMs: number;
}

/** Grace between asking a worker to stop and killing it. */
const stopGraceMs = 5_000;

/** One worker process from the daemon's side: its leases, its wire, its end. */
export class WorkerHandle {
  /** The lead session it was started for. */
  readonly lead: string;
  readonly sessions = new Set<string>();
  ready = false;
  /** It was told to stop: takes no new lease. */
  stopping = false;
  /** It has ended; frames of it may still arrive. */
  gone = false;
  readonly #connection: WorkerConnection;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #asks = new Set<Promise<void>>();
  readonly #storing = new Set<Promise<void>>();
  readonly #heartbeat: Heartbeat;
  #cancelKill: Cancel | null = null;

  constructor(lead: string, connection: WorkerConnection, events: WorkerEvents, ports: HandlePorts) {
    this.lead = lead;
    this.#connection = connection;
    this.#clock = ports.clock;
    this.#log = ports.log;
    this.#heartbeat = new Heartbeat({
      ...ports,
      ping: (n) => this.#send({ type: 'ping', n }),
      onSilence: () => this.#silent(ports.silenceMs),
    });
    connection.onMessage((message) => this.#receive(message, events));
    connection.onExit(({ reason }) => {
      this.gone = true;
      this.#cancelKill?.();
      this.#heartbeat.stop();
      events.exited(this, reason);
    });
    this.#send({ type: 'hello', version: workerLinkVersion, drafts: true });
  }

  get pid(): number | null {
    return this.#connection.pid;
  }

  /** Resolves when nothing that it asked to store is under way any more: after its end, nothing of it can be stored later. */
  async quiesced(): Promise<void> {
    await Promise.all(this.#storing);
  }

  /** Resolves when nothing at all that it asked is under way: a key program is not cut off by an orderly stop. */
  async settled(): Promise<void> {
    await Promise.all(this.#asks);
  }

  lease(lease: Lease): void {
    this.sessions.add(lease.session);
    this.#send({ type: 'lease', lease });
    if (this.ready) this.#heartbeat.start();
  }

  release(session: string, lease: string, interrupt: boolean): void {
    this.#send({ type: 'release', session, lease, interrupt });
  }

  changed(session: string, lease: string): void {
    this.#send({ type: 'changed', session, lease });
  }

  /** What holds for the session's hooks from its next event on. */
  hooks(session: string, lease: string, { rules, mode }: HookTerms): void {
    this.#send({ type: 'hooks', session, lease, rules, mode });
  }

  /** Asks it to finish; kills it after the grace. */
  stop(): void {
    if (this.stopping) return;
    this.stopping = true;
    // From here on the grace watches it.
    this.#heartbeat.stop();
    this.#send({ type: 'stop' });
    this.#cancelKill = this.#clock.after(stopGraceMs, () => {
      this.#log.warn({ pid: this.pid }, 'worker did not stop in time: killed');
      this.kill();
    });
  }

  kill(): void {
    this.#connection.kill();
  }

  #silent(silenceMs: number): void {
    this.#log.warn({ pid: this.pid }, `worker did not answer for ${silenceMs / 1000} s: killed`);
    this.kill();
  }

  #send(message: DaemonToWorker): void {
    this.#connection.send(message);
  }

  #receive(message: WorkerToDaemon, events: WorkerEvents): void {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        if (this.sessions.size > 0) this.#heartbeat.start();
        return;
      case 'pong':
        return this.#heartbeat.heard(message.n);
      case 'ask':
        this.#keep(this.#answer(message, events), message.verb);
        return;
      case 'draft':
        return events.draft(message);
      case 'activity':
        return events.activity(message);
      case 'released':
        this.sessions.delete(message.session);
        return events.released(message);
      default:
        return assertNever(message, 'message of a worker');
    }
  }

  #keep(ask: Promise<void>, verb: LinkVerb): void {
    for (const asks of storesNothing(verb) ? [this.#asks] : [this.#asks, this.#storing]) {
      asks.add(ask);
      void ask.finally(() => asks.delete(ask));
    }
  }

  async #answer(frame: Frame<'ask'>, events: WorkerEvents): Promise<void> {
    const { id } = frame;
    try {
      const output = await events.ask(frame);
      this.#send({ type: 'answer', id, ok: true, output });
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'stale')
        this.#log.warn(
          { verb: frame.verb, session: frame.session, code, error: errorMessage(error) },
          'worker verb refused',
        );
      this.#send({ type: 'fault', id, error: { code, message: errorMessage(error) } });
    }
  }
}
