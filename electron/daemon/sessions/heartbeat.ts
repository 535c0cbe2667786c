import type { Cancel, Clock } from '../../../shared/base/ports.ts';

/** What a heartbeat asks and tells; `silenceMs` without an answer are a worker that is stopped or spins. */
export interface HeartbeatParts {
  readonly clock: Clock;
  readonly silenceMs: number;
  readonly ping: (n: number) => void;
  readonly onSilence: () => void;
}

/** So many questions in a row stay unanswered before a worker counts as hung. */
const mostMissed = 4;

/** Asks a worker with sessions whether it still hears, so that a stopped or spinning one does not hold them for ever. */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  #cancel: Cancel | null = null;
  #n = 0;
  #answered = 0;
  #missed = 0;
  #wall = 0;
  #monotonic = 0;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  /** From now on; calling it again changes nothing. */
  start(): void {
    if (this.#cancel !== null) return;
    this.#missed = 0;
    this.#ask();
  }

  /** The worker answered the question with this number. */
  heard(n: number): void {
    this.#answered = Math.max(this.#answered, n);
  }

  /** No questions any more. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #ask(): void {
    const { clock, silenceMs, ping } = this.#parts;
    this.#n += 1;
    this.#wall = clock.now();
    this.#monotonic = clock.monotonic();
    this.#cancel = clock.after(silenceMs / mostMissed, () => this.#look(), { keepAlive: false });
    ping(this.#n);
  }

  #look(): void {
    const isBehind = this.#answered < this.#n && !this.#timeWasLost();
    this.#missed = isBehind ? this.#missed + 1 : 0;
    if (this.#missed < mostMissed) return this.#ask();
    this.stop();
    this.#parts.onSilence();
  }

  /** The machine slept, or this process was stopped itself: the worker had no time to answer, or its answer waits unread. */
  #timeWasLost(): boolean {
    const { clock, silenceMs } = this.#parts;
    const expected = silenceMs / mostMissed;
    const passed = clock.monotonic() - this.#monotonic;
    const wallPassed = clock.now() - this.#wall;
    return passed > 2 * expected || Math.abs(wallPassed - passed) > expected;
  }
}
