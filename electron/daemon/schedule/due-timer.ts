import { errorMessage } from '../../../shared/base/errors.ts';
import type { Cancel, Clock, Log } from '../../../shared/base/ports.ts';
import type { Store } from '../events/port.ts';
import { ClockWatch } from './clock-watch.ts';

/** What the timer works with. */
export interface DuePorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this boot of the machine (see ClockWatch). */
  readonly boot?: string | null;
  /** Called when something fell due, and after a jump of the wall clock. */
  readonly onDue: () => void;
  /** Called once some seconds before the earliest row falls due at `due`. */
  readonly onSoon?: (due: number) => void;
}

/** The timer looks at the wall clock at least this often while something is ahead, so that a jump is noticed. */
const longestWaitMs = 60_000;

/** The wall clock and monotonic time part by more than this only when the clock is set or the machine slept. */
const jumpMs = 1_000;

/** Starting a worker takes a moment: what needs one is told this long before it falls due. */
const leadMs = 5_000;

/** One timer for the earliest due row (wakes, alarms, expiries, retries); none while nothing is ahead. */
export class DueTimer {
  readonly #ports: DuePorts;
  readonly #offCommit: () => void;
  readonly #watch: ClockWatch;
  #cancel: Cancel | null = null;
  /** What fell due up to this wall ms has been told; nothing that falls due while the store is asked is slept through. */
  #toldUntil: number;
  /** A prompt that stays open although its time is over (the disk is full) must not ring without end. */
  #toldLast: number | null = null;
  #offset: number;
  #looking = false;
  #again = false;
  #stopped = false;

  constructor(ports: DuePorts) {
    this.#ports = ports;
    this.#toldUntil = ports.clock.now();
    this.#offset = this.#wallOffset();
    this.#watch = new ClockWatch(ports);
    this.#offCommit = ports.store.onCommit((notice) => {
      if (notice.work || notice.prompts.size > 0) this.look();
    });
  }

  /** Sets the timer anew by what is stored. */
  look(): void {
    this.#again = true;
    if (!this.#looking) void this.#lookAll();
  }

  stop(): void {
    this.#stopped = true;
    this.#offCommit();
    this.#cancel?.();
  }

  async #lookAll(): Promise<void> {
    this.#looking = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.checkClock();
        // A clock that was set back makes told times lie ahead again.
        this.#toldUntil = Math.min(this.#toldUntil, this.#ports.clock.now());
        this.#arm(await this.#ports.store.nextDue(this.#toldUntil));
      } catch (error) {
        this.#ports.log.error({ error: errorMessage(error) }, 'next due row could not be read');
        this.#arm(this.#ports.clock.now() + longestWaitMs);
      }
    }
    this.#looking = false;
  }

  #arm(due: number | null): void {
    this.#cancel?.();
    this.#cancel = null;
    if (due === null || this.#stopped) return;
    const wait = due === this.#toldLast ? longestWaitMs : due - this.#ports.clock.now();
    const early = this.#ports.onSoon && wait > leadMs ? wait - leadMs : wait;
    const ms = Math.max(0, Math.min(early, longestWaitMs));
    this.#cancel = this.#ports.clock.after(ms, () => void this.#ring(due), { keepAlive: false });
  }

  /** At the start, before anything is decided by the wall clock. Rejects with `disk_full` only. */
  startClock(): Promise<void> {
    return this.#watch.start();
  }

  /** Makes good that the wall clock was set. Call it before deciding by the wall clock. Never rejects. */
  checkClock(): Promise<void> {
    return this.#watch.check();
  }

  /** After `stop`, while the store is still open. Never rejects. */
  noteClock(): Promise<void> {
    return this.#watch.stop();
  }

  async #ring(due: number): Promise<void> {
    await this.checkClock();
    this.#tell(due);
  }

  #tell(due: number): void {
    if (this.#stopped) return;
    const now = this.#ports.clock.now();
    const offset = this.#wallOffset();
    const jumped = Math.abs(offset - this.#offset) > jumpMs;
    this.#offset = offset;
    if (due <= now) {
      this.#toldLast = due;
      this.#toldUntil = now;
    }
    if (due <= now || jumped) this.#ports.onDue();
    else if (due - now <= leadMs) this.#ports.onSoon?.(due);
    this.look();
  }

  #wallOffset(): number {
    return this.#ports.clock.now() - this.#ports.clock.monotonic();
  }
}
