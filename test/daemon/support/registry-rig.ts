import { LiveBoard } from '../../../electron/daemon/sessions/live-board.ts';
import { type ModelSource, offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { leaseVerbs } from '../../../electron/daemon/sessions/lease-verbs.ts';
import { SessionRegistry } from '../../../electron/daemon/sessions/registry.ts';
import { sessionPolicy } from '../../../electron/daemon/sessions/session-terms.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { sha256 } from '../../support/sim/sim-tools.ts';
import { DaemonRig, terms } from './daemon-rig.ts';
import { FakeStarter, type FakeWorker } from './fake-workers.ts';

/** A registry over the memory store, with workers that the test drives. */
export class RegistryRig extends DaemonRig {
  readonly workers = new FakeStarter();
  readonly board = new LiveBoard();
  readonly registry: SessionRegistry;
  /** Set: the host has no scratch folder. */
  broken = false;

  constructor(
    options: {
      capacity?: number;
      hibernateAfterMs?: number;
      silenceMs?: number;
      models?: ModelSource;
    } = {},
  ) {
    super();
    const self = { home: '/home/.kairos', scratch: '/home/.kairos/scratch', words: [] };
    const environment = () => Promise.resolve({ PATH: '/bin' });
    const policy = sessionPolicy(defaultSettings(), self);
    this.registry = new SessionRegistry({
      ...this.#ports(),
      workers: this.workers,
      board: this.board,
      verbs: leaseVerbs({
        store: this.store,
        clock: this.clock,
        sha256,
        terms: async () => terms,
        limits: terms.limits,
        models: options.models ?? offlineOnly,
        policy,
        environment,
      }),
      models: options.models ?? offlineOnly,
      scratch: (session) =>
        this.broken ? Promise.reject(new Error('no disk')) : Promise.resolve(`/s/${session}`),
      silenceMs: options.silenceMs ?? 20_000,
      hibernateAfterMs: options.hibernateAfterMs ?? 60_000,
      capacity: options.capacity ?? 8,
    });
  }

  #ports() {
    const { store, clock, ids, log, problems, patience } = this;
    return { store, clock, ids, log, problems, patience };
  }

  /** A session with a message, run by a worker that has its lease. */
  async running(name: string): Promise<{ session: string; worker: FakeWorker }> {
    const session = (await this.session(name)).id;
    await this.say(session);
    await this.settle();
    const worker = this.workers.last;
    worker.ready();
    return { session, worker };
  }

  /** Kinds of grants: what the runner of a session is told to do next. */
  async nextStep(worker: FakeWorker, session: string): Promise<string> {
    const answer = await worker.ask(session, 'nextStep', { known: 0 }, () => this.settle());
    return 'ok' in answer ? (answer.ok as { kind: string }).kind : answer.fault;
  }

  /** The runner answers its message and ends the turn. */
  async finishTurn(worker: FakeWorker, session: string): Promise<string> {
    for (let round = 0; round < 4; round += 1) {
      const kind = await this.nextStep(worker, session);
      if (kind !== 'request') return kind;
      await this.reply(worker, session, 'Done.');
    }
    return 'endless';
  }

  /** The runner replies with a text to the step that is open. */
  async reply(worker: FakeWorker, session: string, text: string): Promise<unknown> {
    const step = (await this.store.session(session))?.step?.id ?? '';
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 0 };
    const reply = { model: 'm', parts: [{ type: 'text' as const, text }], stop: 'end' as const };
    return worker.ask(session, 'recordReply', { step, reply, usage, known: 0 }, () => this.settle());
  }
}
