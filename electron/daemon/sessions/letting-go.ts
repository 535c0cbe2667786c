import type { Clock } from '../../../shared/base/ports.ts';
import type { LiveBoard } from './live-board.ts';
import type { Running, RunningSet } from './running-set.ts';
import { releaseGraceMs } from './worker-deadline.ts';

/** What decides when a session is let go; `hibernateAfterMs` of quiet are enough. */
export interface LettingGoPorts {
  readonly clock: Clock;
  readonly board: LiveBoard;
  readonly hibernateAfterMs: number;
}

/** When a worker is told to let go of a session: after its quiet time, for one that can run, or because it was ended. */
export class LettingGo {
  readonly #ports: LettingGoPorts;
  readonly #running: RunningSet;

  constructor(ports: LettingGoPorts, running: RunningSet) {
    this.#ports = ports;
    this.#running = running;
  }

  /** The runner has nothing to do: its quiet time begins. */
  becomeQuiet(running: Running): void {
    running.cancelQuiet?.();
    running.state = 'quiet';
    this.#ports.board.set(running.session, { doing: null });
    running.cancelQuiet = this.#ports.clock.after(
      this.#ports.hibernateAfterMs,
      () => this.#hibernate(running),
      { keepAlive: false },
    );
  }

  /** The number of its background tasks changed: with the last one its quiet time begins anew. */
  tasksChanged(running: Running, count: number): void {
    this.#ports.board.set(running.session, { background: count });
    if (running.state === 'quiet' && count === 0) this.becomeQuiet(running);
  }

  /** It stops until a person says otherwise; its background tasks go on meanwhile. */
  parked(running: Running): void {
    if (this.#hasBackground(running)) this.becomeQuiet(running);
    else this.release(running, false);
  }

  /** A session that only waits gives its place to one that can run (when it has let go); it comes back when it has to. */
  evictQuiet(): void {
    const quiet = this.#running.evictable;
    if (quiet) this.release(quiet, false);
  }

  /** Tells the worker to let go; running calls are ended when `interrupt`. */
  release(running: Running, interrupt: boolean): void {
    // A lease that is not sent yet is made from rows when it is; a release that overtakes it would be dropped.
    if (!running.sent) return;
    running.cancelQuiet?.();
    running.state = 'releasing';
    running.worker.release(running.session, running.lease, interrupt);
    running.deadline.set(releaseGraceMs);
  }

  #hibernate(running: Running): void {
    const isQuiet = running.state === 'quiet' && this.#running.isCurrent(running);
    if (isQuiet && !this.#hasBackground(running)) this.release(running, false);
  }

  #hasBackground(running: Running): boolean {
    return this.#ports.board.live(running.session).background > 0;
  }
}
