import { boundary } from '../../node/boundary.ts';
import { KairosError, errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Ids, Log } from '../../../shared/base/ports.ts';
import { isModelWait } from '../../../shared/domain/model-wait.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import type { TaskEnd } from '../../../shared/domain/tasks.ts';
import type { LinkVerb, WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';
import type { FullDiskPatience } from '../events/full-disk.ts';
import type { CommitNotice } from '../events/port.ts';
import { Endings } from './endings.ts';
import { Holds } from './holds.ts';
import { needsTodaysHooks, ToldHooks } from './hook-terms.ts';
import { LettingGo } from './letting-go.ts';
import type { LiveBoard } from './live-board.ts';
import { type LeasePorts, makeLease } from './make-lease.ts';
import type { ModelProblem } from './model-source.ts';
import { asksAgain, isBeside, isQuietAnswer, runningTasks } from './quiet.ts';
import { Pump } from './pump.ts';
import { type Running, RunningSet } from './running-set.ts';
import { StartBackoff } from './start-backoff.ts';
import { askGraceMs, WorkerDeadline } from './worker-deadline.ts';
import type { WorkerEvents, WorkerHandle } from './worker-handle.ts';
import { WorkerPool } from './worker-pool.ts';
import type { WorkerStarter } from './worker-port.ts';

/** What the registry works with: `hibernateAfterMs` of quiet end a worker, `silenceMs` without an answer kill it; at most `capacity` sessions run. */
export interface RegistryPorts extends LeasePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly problems: ProblemPort;
  readonly patience: FullDiskPatience;
  readonly board: LiveBoard;
  readonly workers: WorkerStarter;
  readonly verbs: (session: string, verb: LinkVerb, input: unknown) => Promise<unknown>;
  readonly hibernateAfterMs: number;
  readonly silenceMs: number;
  readonly capacity: number;
}

/** A session told to go on that often without doing anything waits for its next commit: the daemon must not spin. */
const vainLimit = 3;
/** A session that could not be started, or whose failure is not stored yet, is tried again after this. */
const restMs = 5_000;

/** With another model or frame, what the worker has is not what the rows say any more: it lets go after its step. */
function asksForLease(type: string): boolean {
  return type === 'session.model_set' || type === 'session.brief_set';
}

/** A person ended it while its worker held it: the worker has to let go. */
function endedByPerson(how: TaskEnd['how']): boolean {
  return how === 'archived' || how === 'interrupted';
}

/** Which sessions run, and in which worker: the only place that starts one (design 9). Rows decide, memory only follows. */
export class SessionRegistry {
  readonly #ports: RegistryPorts;
  readonly #running: RunningSet;
  readonly #lettingGo: LettingGo;
  readonly #pool: WorkerPool;
  readonly #holds = new Holds();
  readonly #toldHooks = new ToldHooks();
  readonly #backoff: StartBackoff;
  readonly #pump: Pump;
  readonly #endings: Endings;
  readonly #offCommit: () => void;
  #stopping = false;

  constructor(ports: RegistryPorts) {
    const { patience, store, clock, log, problems } = ports;
    this.#ports = ports;
    this.#running = new RunningSet(ports.capacity, (session) => ports.board.live(session).background > 0);
    this.#lettingGo = new LettingGo(ports, this.#running);
    this.#pool = new WorkerPool(ports, this.#workerEvents());
    this.#backoff = new StartBackoff(ports);
    this.#pump = new Pump({ clock, log, problems, look: () => this.#look() });
    this.#endings = new Endings({
      store,
      patience,
      report: (session, error) => this.#report(session, error),
    });
    this.#offCommit = store.onCommit((notice) => this.#onCommit(notice));
  }

  /** Nothing runs before this: what a crash left has to be recovered first. */
  start(): void {
    this.#pump.start();
  }

  /** Looks for sessions that may run now; call it whenever something may have become due. */
  pump(): void {
    this.#pump.call();
  }

  /** Lets sessions that were refused (budget) be tried again. */
  retryHeld(): void {
    this.#holds.clear();
    this.pump();
  }

  /** Starts a worker early for a session that will soon be spoken to; never over capacity. */
  warm(session: string): void {
    if (!this.#pump.runs || this.#running.has(session) || this.#running.isFull) return;
    this.#start(session).catch((error: unknown) => this.#report(session, error));
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** pids of live workers (for the peer check). */
  workerPids(): number[] {
    return this.#pool.pids();
  }

  /** No new step; resolves when every worker is gone and that is stored. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#pump.stop();
    this.#pool.stopAll();
    const isOver = (): boolean => this.#pool.isEmpty && this.#endings.areStored;
    if (!isOver()) {
      await new Promise<void>((resolve) => {
        this.#endings.onDone(() => isOver() && resolve());
      });
    }
    this.#offCommit();
  }

  async #look(): Promise<void> {
    if (!this.#running.hasRoom) return;
    let queued = false;
    for (const session of await this.#ports.store.runnable()) {
      queued = (await this.#consider(session, queued)) || queued;
    }
  }

  /** True when the session waits for a place: whoever comes after it must not take it. */
  async #consider(session: string, queued: boolean): Promise<boolean> {
    if (this.#holds.has(session) || this.#stopping) return false;
    const running = this.#running.get(session);
    if (running) {
      if (running.state !== 'quiet') return false;
      if (!this.#running.holdsPlace(running) && !this.#hasPlace(queued)) return true;
      this.#wakeUp(running);
      return false;
    }
    if (this.#backoff.holds) return false;
    if (!this.#hasPlace(queued)) return true;
    await this.#start(session);
    return false;
  }

  /** Asks a session that only waits to make room when there is none. */
  #hasPlace(queued: boolean): boolean {
    if (this.#running.isFull) this.#lettingGo.evictQuiet();
    return !this.#running.isFull && !queued;
  }

  #wakeUp(running: Running): void {
    running.vain += 1;
    if (running.vain > vainLimit) {
      this.#holds.hold(running.session);
      this.#ports.log.error(
        { session: running.session },
        'runnable, but its runner finds nothing to do: held',
      );
      return;
    }
    running.cancelQuiet?.();
    running.state = 'running';
    running.worker.changed(running.session, running.lease);
    running.deadline.set(askGraceMs);
  }

  async #start(session: string): Promise<void> {
    const { store, board, ids } = this.#ports;
    const row = await store.session(session);
    if (!row || this.#running.has(session)) return;
    const worker = this.#pool.for(row.parent ?? row.id);
    const lease = ids.next('lse');
    const running: Running = {
      session,
      lease,
      worker,
      state: 'running',
      sent: false,
      vain: 0,
      cancelQuiet: null,
      deadline: new WorkerDeadline(worker, session, this.#ports),
    };
    this.#running.add(running);
    worker.sessions.add(session);
    board.set(session, { pid: worker.pid, leased: true });
    void makeLease(this.#ports, session, lease)
      .then((made) => {
        if (!this.#running.isCurrent(running) || !made) return;
        if (made.kind === 'problem') {
          this.#endings.track(this.#parkUnused(running, made));
          return;
        }
        boundary('lease.grant', 'before');
        running.sent = true;
        worker.lease(made.lease);
        running.deadline.set(askGraceMs);
        boundary('lease.grant', 'after');
      })
      .catch((error: unknown) => this.#couldNotStart(running, error));
  }

  /** Its model cannot be used: the person is told, no worker gets it. */
  async #parkUnused(running: Running, { code, reason }: ModelProblem): Promise<void> {
    await this.#endings.park(running.session, code, reason);
    this.#drop(running);
    this.pump();
  }

  /** Something on this machine or in the rows is amiss. */
  #couldNotStart(running: Running, error: unknown): void {
    if (this.#stopping) return;
    const { session } = running;
    this.#report(session, error);
    this.#holds.rest(session);
    const again = (): void => {
      this.#holds.rested(session);
      this.pump();
    };
    this.#ports.clock.after(restMs, again, { keepAlive: false });
    this.#drop(running);
    this.pump();
  }

  #workerEvents(): WorkerEvents {
    const { board } = this.#ports;
    return {
      ask: (frame) => this.#ask(frame),
      draft: (frame) => {
        if (this.#running.current(frame)) board.addDraft(frame);
      },
      activity: ({ session, lease, doing, background }) => {
        if (!this.#running.current({ session, lease })) return;
        if (isModelWait(doing) && board.live(session).doing !== doing)
          this.#ports.log.warn({ session, doing }, 'a model is asked again later');
        board.set(session, { doing, background });
      },
      released: (frame) => this.#released(frame),
      exited: (handle, reason) => this.#endings.track(this.#exited(handle, reason)),
    };
  }

  async #ask(frame: Extract<WorkerToDaemon, { type: 'ask' }>): Promise<unknown> {
    const running = this.#running.current(frame);
    // What a dead worker asked last must not begin anything: nobody would hear the answer.
    if (!running || running.worker.gone) throw new KairosError('stale', `Lease ${frame.lease} is over.`);
    if (this.#ports.board.live(frame.session).pid === null) {
      this.#ports.board.set(frame.session, { pid: running.worker.pid });
    }
    running.worker.ready = true;
    this.#backoff.succeeded();
    this.#ports.problems.clear(`session:${frame.session}`);
    if (isBeside(frame.verb)) return this.#answerBeside(frame, running);
    if (running.state !== 'releasing') {
      running.state = 'running';
      running.deadline.met();
    }
    running.cancelQuiet?.();
    const before = this.#holds.news(frame.session);
    const output = await this.#answer(frame, running);
    if (needsTodaysHooks(frame.verb)) await this.#tellHooks(running);
    const quiet = isQuietAnswer(frame.verb, output);
    if (quiet === null) running.vain = 0;
    if (quiet === 'refused' && this.#holds.news(frame.session) === before) this.#holds.hold(frame.session);
    if (quiet !== null && running.state === 'running') {
      this.#lettingGo.becomeQuiet(running);
      this.pump();
    }
    if (running.state === 'running' && asksAgain(frame.verb, output)) running.deadline.set(askGraceMs);
    return output;
  }

  /** Sent before the answer: what the worker does next is done with the hooks of now. */
  async #tellHooks(running: Running): Promise<void> {
    const { store, hooks } = this.#ports;
    const row = hooks && (await store.session(running.session));
    if (!hooks || !row) return;
    const terms = await hooks(row);
    if (!this.#toldHooks.isNews(running, terms) || running.worker.gone) return;
    running.worker.hooks(running.session, running.lease, terms);
  }

  async #answerBeside(frame: Extract<WorkerToDaemon, { type: 'ask' }>, running: Running): Promise<unknown> {
    const output = await this.#answer(frame, running);
    const count = runningTasks(frame.verb, output);
    if (count !== null && this.#running.isCurrent(running)) this.#lettingGo.tasksChanged(running, count);
    return output;
  }

  async #answer(frame: Extract<WorkerToDaemon, { type: 'ask' }>, running: Running): Promise<unknown> {
    const { patience, verbs } = this.#ports;
    const wanted = (): boolean => this.#running.isCurrent(running) && !running.worker.gone;
    try {
      return await patience.run(() => verbs(frame.session, frame.verb, frame.input), wanted);
    } catch (error) {
      if (errorCode(error) !== 'not_found') throw error;
      throw new KairosError('stale', 'What was asked about is gone.', { cause: error });
    }
  }

  #released(frame: Extract<WorkerToDaemon, { type: 'released' }>): void {
    const running = this.#running.current(frame);
    if (!running) return;
    this.#drop(running);
    if (frame.why === 'failed' && !this.#stopping) {
      this.#endings.track(this.#failed(frame.session, frame.reason ?? 'no reason given'));
    }
    this.pump();
  }

  async #failed(session: string, reason: string): Promise<void> {
    this.#holds.rest(session);
    await this.#endings.runnerFailed(session, reason);
    this.#holds.rested(session);
    this.pump();
  }

  /** Forgets a lease; a worker without leases stops. */
  #drop(running: Running): void {
    this.#running.remove(running);
    this.#holds.forget(running.session);
    running.worker.sessions.delete(running.session);
    this.#ports.board.set(running.session, null);
    if (running.worker.sessions.size === 0) running.worker.stop();
  }

  async #exited(worker: WorkerHandle, reason: string): Promise<void> {
    this.#pool.forget(worker);
    const lost = this.#running.ofWorker(worker);
    if (lost.length > 0)
      this.#ports.log.warn(
        { pid: worker.pid, reason, sessions: lost.map((running) => running.session) },
        'worker died',
      );
    if (lost.length > 0 && !worker.ready && !this.#stopping) this.#backoff.failed(reason, () => this.pump());
    const died = worker.ready && !worker.stopping && !this.#stopping;
    const crashes = new Set(lost.filter((running) => died && running.state === 'running'));
    await (this.#stopping ? worker.settled() : worker.quiesced());
    for (const running of lost) {
      running.cancelQuiet?.();
      running.deadline.met();
      const crashed = crashes.has(running);
      const { session } = running;
      await this.#endings.workerLost(session, crashed);
      this.#running.remove(running);
      this.#ports.board.set(running.session, null);
    }
    this.pump();
  }

  #onCommit(notice: CommitNotice): void {
    this.#holds.heard(notice, (session) => this.#running.has(session));
    for (const event of notice.events) {
      if (event.type === 'step.replied' || event.type === 'step.abandoned')
        this.#ports.board.endDraft(event.session, event.body.step);
      const ended = event.type === 'turn.ended' && event.body.outcome === 'interrupted';
      const running = this.#running.get(event.session);
      if (!running || running.state === 'releasing') continue;
      if (event.type === 'session.parked') this.#lettingGo.parked(running);
      else if (ended || asksForLease(event.type)) this.#lettingGo.release(running, ended);
      else if (event.type === 'task.ended' && endedByPerson(event.body.how))
        this.#lettingGo.release(running, true);
    }
    if (notice.work || notice.sessions.size > 0) this.pump();
  }

  #report(session: string, error: unknown): void {
    this.#ports.log.error({ session, error: errorMessage(error) }, 'session could not be run');
    const message = `The session ${session} could not be run: ${errorMessage(error)}`;
    this.#ports.problems.set(`session:${session}`, message, 'See kairos logs; it is tried again.');
  }
}
