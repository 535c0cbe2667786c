import type { Cancel } from '../../../shared/base/ports.ts';
import type { WorkerDeadline } from './worker-deadline.ts';
import type { WorkerHandle } from './worker-handle.ts';

/** A session that a worker has a lease on. */
export interface Running {
  readonly session: string;
  readonly lease: string;
  readonly worker: WorkerHandle;
  state: 'running' | 'quiet' | 'releasing';
  /** The worker was given the lease. */
  sent: boolean;
  /** `changed` was sent and nothing came of it, in a row. */
  vain: number;
  cancelQuiet: Cancel | null;
  readonly deadline: WorkerDeadline;
}

/**
 * The leases of this daemon; memory only. At most `capacity` of them hold a place: a session that has nothing to do but to keep its
 * worker for commands in the background (`hasBackground`) holds none.
 */
export class RunningSet {
  readonly #capacity: number;
  readonly #hasBackground: (session: string) => boolean;
  readonly #running = new Map<string, Running>();

  constructor(capacity: number, hasBackground: (session: string) => boolean) {
    this.#capacity = capacity;
    this.#hasBackground = hasBackground;
  }

  get size(): number {
    return this.#running.size;
  }

  get isFull(): boolean {
    let held = 0;
    for (const running of this.#running.values()) if (this.holdsPlace(running)) held += 1;
    return held >= this.#capacity;
  }

  /** False while only its background commands run. */
  holdsPlace({ state, session }: Running): boolean {
    return state !== 'quiet' || !this.#hasBackground(session);
  }

  /** A place is free or can be made free. */
  get hasRoom(): boolean {
    return !this.isFull || this.evictable !== undefined;
  }

  get(session: string): Running | undefined {
    return this.#running.get(session);
  }

  has(session: string): boolean {
    return this.#running.has(session);
  }

  /** The session's lease when it is the one named; null when that one is over. */
  current(of: { readonly session: string; readonly lease: string }): Running | null {
    const running = this.#running.get(of.session);
    return running?.lease === of.lease ? running : null;
  }

  isCurrent(running: Running): boolean {
    return this.#running.get(running.session) === running;
  }

  /** A session that only waits and may give up its place. */
  get evictable(): Running | undefined {
    return [...this.#running.values()].find(
      (running) => running.state === 'quiet' && this.holdsPlace(running),
    );
  }

  ofWorker(worker: WorkerHandle): readonly Running[] {
    return [...this.#running.values()].filter((running) => running.worker === worker);
  }

  add(running: Running): void {
    this.#running.set(running.session, running);
  }

  /** Forgets the lease and its timers; a newer one of the same session stays. */
  remove(running: Running): void {
    running.cancelQuiet?.();
    running.deadline.met();
    if (this.isCurrent(running)) this.#running.delete(running.session);
  }
}
