import { boundary } from '../../node/boundary.ts';
import { KairosError, errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Ids, Log } from '../../../shared/base/ports.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import type { LinkVerb, WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';
import type { FullDiskPatience } from '../events/full-disk.ts';
import type { CommitNotice } from '../events/port.ts';
import { Holds } from './holds.ts';
import type { LiveBoard } from './live-board.ts';
import { type LeasePorts, makeLease } from './make-lease.ts';
import { asksAgain, isQuietAnswer } from './quiet.ts';
import { type Running, RunningSet } from './running-set.ts';
import { StartBackoff } from './start-backoff.ts';
import { askGraceMs, releaseGraceMs, WorkerDeadline } from './worker-deadline.ts';
import { WorkerHandle } from './worker-handle.ts';
import type { WorkerStarter } from './worker-port.ts';

/** What the registry works with; `hibernateAfterMs` of quiet end a worker, at most `capacity` sessions run at once. */
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
  readonly capacity: number;
}

/** A session told to go on that often without doing anything waits for its next commit: the daemon must not spin. */
const vainLimit = 3;
/** When the store could not say what may run, it is asked again after this. */
const pumpRetryMs = 1_000;
/** A session that could not be started, or whose failure is not stored yet, is tried again after this. */
const restMs = 5_000;

/** Which sessions run, and in which worker: the only place that starts one (design 9). Rows decide, memory only follows. */
export class SessionRegistry {
  readonly #ports: RegistryPorts;
  readonly #running: RunningSet;
  readonly #workers = new Map<string, WorkerHandle>();
  readonly #holds = new Holds();
  readonly #backoff: StartBackoff;
  readonly #offCommit: () => void;
  #isPumping = false;
  #pumping: Promise<void> = Promise.resolve();
  #again = false;
  #started = false;
  #stopping = false;
  /** What has to be stored about workers and runners that ended. */
  readonly #endings = new Set<Promise<void>>();
  #allGone: (() => void) | null = null;

  constructor(ports: RegistryPorts) {
    this.#ports = ports;
    this.#running = new RunningSet(ports.capacity);
    this.#backoff = new StartBackoff(ports);
    this.#offCommit = ports.store.onCommit((notice) => this.#onCommit(notice));
  }

  /** Nothing runs before this: what a crash left has to be recovered first. */
  start(): void {
    this.#started = true;
    this.pump();
  }

  /** Looks for sessions that may run now; call it whenever something may have become due. */
  pump(): void {
    if (this.#stopping || !this.#started) return;
    this.#again = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    this.#pumping = this.#pumpAll();
  }

  /** Lets sessions that were refused (budget) be tried again. */
  retryHeld(): void {
    this.#holds.clear();
    this.pump();
  }

  /** Starts a worker early for a session that will soon be spoken to; never over capacity. */
  warm(session: string): void {
    if (this.#stopping || !this.#started || this.#running.has(session) || this.#running.isFull) return;
    this.#start(session).catch((error: unknown) => this.#report(session, error));
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** pids of live workers (for the peer check). */
  workerPids(): number[] {
    return [...this.#workers.values()].flatMap((worker) => (worker.pid === null ? [] : [worker.pid]));
  }

  /** No new step; resolves when every worker is gone and that is stored. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#pumping;
    for (const worker of this.#workers.values()) worker.stop();
    if (!this.#isOver()) {
      await new Promise<void>((resolve) => {
        this.#allGone = resolve;
      });
    }
    this.#offCommit();
  }

  #isOver(): boolean {
    return this.#workers.size === 0 && this.#endings.size === 0;
  }

  #track(ending: Promise<void>): void {
    this.#endings.add(ending);
    void ending.finally(() => {
      this.#endings.delete(ending);
      if (this.#isOver()) this.#allGone?.();
    });
  }

  /** The flag falls in the same instant in which the loop sees that nobody asked again: no call in between is lost. */
  async #pumpAll(): Promise<void> {
    try {
      while (this.#again && !this.#stopping) {
        this.#again = false;
        if (!this.#running.hasRoom) return;
        let queued = false;
        for (const session of await this.#ports.store.runnable()) {
          queued = (await this.#consider(session, queued)) || queued;
        }
        this.#ports.problems.clear('sessions');
      }
    } catch (error) {
      const message = errorMessage(error);
      this.#ports.problems.set('sessions', `Sessions cannot be started: ${message}`, 'See kairos logs.');
      this.#ports.log.error({ error: message }, 'pump failed');
      this.#ports.clock.after(pumpRetryMs, () => this.pump(), { keepAlive: false });
    } finally {
      this.#isPumping = false;
    }
  }

  /** True when the session waits for a place: whoever comes after it must not take it. */
  async #consider(session: string, queued: boolean): Promise<boolean> {
    if (this.#holds.has(session) || this.#stopping) return false;
    const running = this.#running.get(session);
    if (running) {
      if (running.state === 'quiet') this.#wakeUp(running);
      return false;
    }
    if (this.#backoff.holds) return false;
    if (this.#running.isFull) this.#evictQuiet();
    if (this.#running.isFull || queued) return true;
    await this.#start(session);
    return false;
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

  /** A session that only waits gives its place to one that can run (when it has let go); it comes back when it has to. */
  #evictQuiet(): void {
    const quiet = this.#running.quiet((running) => !this.#hasBackground(running));
    if (quiet) this.#release(quiet, false);
  }

  #hasBackground(running: Running): boolean {
    return this.#ports.board.live(running.session).background > 0;
  }

  async #start(session: string): Promise<void> {
    const { store, board, ids } = this.#ports;
    const row = await store.session(session);
    if (!row || this.#running.has(session)) return;
    const worker = this.#workerFor(row.parent ?? row.id);
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
      .then((content) => {
        if (!this.#running.isCurrent(running) || !content) return;
        boundary('lease.grant', 'before');
        running.sent = true;
        worker.lease(content);
        running.deadline.set(askGraceMs);
        boundary('lease.grant', 'after');
      })
      .catch((error: unknown) => this.#couldNotStart(running, error));
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

  #workerFor(lead: string): WorkerHandle {
    const existing = this.#workers.get(lead);
    if (existing && !existing.stopping) return existing;
    const worker = new WorkerHandle(
      lead,
      this.#ports.workers.start(),
      {
        ask: (frame) => this.#ask(frame),
        draft: (frame) => {
          if (this.#running.current(frame)) this.#ports.board.addDraft(frame);
        },
        activity: ({ session, lease, doing, background }) => {
          if (this.#running.current({ session, lease }))
            this.#ports.board.set(session, { doing, background });
        },
        released: (frame) => this.#released(frame),
        exited: (handle, reason) => this.#track(this.#exited(handle, reason)),
      },
      this.#ports,
    );
    this.#workers.set(lead, worker);
    return worker;
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
    if (running.state !== 'releasing') {
      running.state = 'running';
      running.deadline.met();
    }
    running.cancelQuiet?.();
    const before = this.#holds.news(frame.session);
    const output = await this.#answer(frame, running);
    const quiet = isQuietAnswer(frame.verb, output);
    if (quiet === null) running.vain = 0;
    if (quiet === 'refused' && this.#holds.news(frame.session) === before) this.#holds.hold(frame.session);
    if (quiet !== null && running.state === 'running') this.#becomeQuiet(running);
    if (running.state === 'running' && asksAgain(frame.verb, output)) running.deadline.set(askGraceMs);
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

  #becomeQuiet(running: Running): void {
    running.state = 'quiet';
    this.#ports.board.set(running.session, { doing: null });
    running.cancelQuiet = this.#ports.clock.after(
      this.#ports.hibernateAfterMs,
      () => this.#hibernate(running),
      { keepAlive: false },
    );
    this.pump();
  }

  #hibernate(running: Running): void {
    const isQuiet = running.state === 'quiet' && this.#running.isCurrent(running);
    if (isQuiet && !this.#hasBackground(running)) this.#release(running, false);
  }

  #release(running: Running, interrupt: boolean): void {
    // A lease that is not sent yet is made from rows when it is; a release that overtakes it would be dropped.
    if (!running.sent) return;
    running.cancelQuiet?.();
    running.state = 'releasing';
    running.worker.release(running.session, running.lease, interrupt);
    running.deadline.set(releaseGraceMs);
  }

  #released(frame: Extract<WorkerToDaemon, { type: 'released' }>): void {
    const running = this.#running.current(frame);
    if (!running) return;
    this.#drop(running);
    if (frame.why === 'failed' && !this.#stopping) {
      this.#track(this.#failed(frame.session, frame.reason ?? 'no reason given'));
    }
    this.pump();
  }

  /** A call that the runner left behind may have taken effect: it is not begun again. */
  async #failed(session: string, reason: string): Promise<void> {
    const { store } = this.#ports;
    this.#holds.rest(session);
    await this.#stored(session, () => store.workerLost(session, false));
    const sentence = `The session's runner failed: ${reason}`;
    await this.#stored(session, () => store.park(session, 'runner_failed', sentence));
    this.#holds.rested(session);
    this.pump();
  }

  /** Stores what happened to a session; one that was archived meanwhile needs nothing more. */
  async #stored(session: string, verb: () => Promise<unknown>): Promise<void> {
    try {
      await this.#ports.patience.run(verb);
    } catch (error) {
      if (errorCode(error) !== 'not_found') this.#report(session, error);
    }
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
    if (this.#workers.get(worker.lead) === worker) this.#workers.delete(worker.lead);
    const lost = this.#running.ofWorker(worker);
    if (lost.length > 0)
      this.#ports.log.warn(
        { pid: worker.pid, reason, sessions: lost.map((running) => running.session) },
        'worker died',
      );
    if (lost.length > 0 && !worker.ready && !this.#stopping) this.#backoff.failed(reason, () => this.pump());
    const died = worker.ready && !worker.stopping && !this.#stopping;
    const crashes = new Set(lost.filter((running) => died && running.state === 'running'));
    await worker.quiesced();
    for (const running of lost) {
      running.cancelQuiet?.();
      running.deadline.met();
      const crashed = crashes.has(running);
      const { session } = running;
      await this.#stored(session, () => this.#ports.store.workerLost(session, crashed));
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
      if (running && running.state !== 'releasing' && (ended || event.type === 'session.parked'))
        this.#release(running, ended);
    }
    if (notice.work || notice.sessions.size > 0) this.pump();
  }

  #report(session: string, error: unknown): void {
    this.#ports.log.error({ session, error: errorMessage(error) }, 'session could not be run');
    const message = `The session ${session} could not be run: ${errorMessage(error)}`;
    this.#ports.problems.set(`session:${session}`, message, 'See kairos logs; it is tried again.');
  }
}
