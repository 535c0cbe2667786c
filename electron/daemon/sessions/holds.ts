import type { CommitNotice } from '../events/port.ts';

/**
 * Sessions that are not offered to a runner until something about them is committed: they were refused (budget, pause), or
 * were runnable in vain, or could not be started just now. An answer from before such a commit must not hold: compare `news` around it.
 */
export class Holds {
  readonly #held = new Set<string>();
  readonly #resting = new Set<string>();
  readonly #news = new Map<string, number>();
  #newsForAll = 0;

  has(session: string): boolean {
    return this.#held.has(session) || this.#resting.has(session);
  }

  hold(session: string): void {
    this.#held.add(session);
  }

  /** Lets every session be tried again. */
  clear(): void {
    this.#held.clear();
  }

  /** Changes with every commit that may let the session run; for sessions that `follows` says yes to. */
  news(session: string): string {
    return `${this.#newsForAll} ${this.#news.get(session) ?? 0}`;
  }

  forget(session: string): void {
    this.#news.delete(session);
  }

  /** Holds it for a while whatever is committed: trying at once again would only heat the machine. */
  rest(session: string): void {
    this.#resting.add(session);
  }

  /** The while is over. */
  rested(session: string): void {
    this.#resting.delete(session);
  }

  heard(notice: CommitNotice, follows: (session: string) => boolean): void {
    if (notice.meta) {
      this.#held.clear();
      this.#newsForAll += 1;
    }
    for (const session of notice.sessions) {
      this.#held.delete(session);
      if (follows(session)) this.#news.set(session, (this.#news.get(session) ?? 0) + 1);
    }
  }
}
