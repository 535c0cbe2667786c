import type { Clock } from '../../../shared/base/ports.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import type { Problem } from '../../../shared/protocol/bridge.ts';

/** What is wrong now, announced on change; in memory, each stage sets its own again after a restart. */
export class ProblemBoard implements ProblemPort {
  readonly #clock: Clock;
  readonly #problems = new Map<string, Problem>();
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(code: string, message: string, next: string): void {
    const before = this.#problems.get(code);
    if (before?.message === message && before.next === next) return;
    this.#problems.set(code, { code, message, next, since: before?.since ?? this.#clock.now() });
    this.#announce();
  }

  clear(code: string): void {
    if (this.#problems.delete(code)) this.#announce();
  }

  all(): readonly Problem[] {
    return [...this.#problems.values()];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
