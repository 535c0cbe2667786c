import type { Life } from './life.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Item {
  readonly life: Life;
  readonly label: string;
  /** Monotonic time at which it was added. */
  readonly since: number;
  readonly run: () => void;
}

interface Lane {
  readonly name: string;
  readonly weight: number;
  items: Item[];
}

/** How often a lane is served compared with others; some are slow, some fast, so that races get far. */
const weights = [1, 1, 1, 1, 0.1, 8] as const;
/** Virtual ms that an item may have to wait while time passes. */
const longestLagMs = 4_000;

/**
 * Decides what happens next. Everything asynchronous outside of promises is an item in a lane: items of one lane keep their
 * order, lanes are served in the seed's order. Between two items all promise continuations run.
 */
export class Scheduler {
  readonly time: VirtualTime;
  readonly #random: Random;
  readonly #lanes = new Map<string, Lane>();
  readonly #trace: ((line: string) => void) | null;
  #waiting: Lane[] = [];
  /** Items and timers run so far. */
  steps = 0;

  constructor(time: VirtualTime, random: Random, trace: ((line: string) => void) | null) {
    this.time = time;
    this.#random = random;
    this.#trace = trace;
  }

  /** Somebody reads along: labels are worth their price. */
  get traced(): boolean {
    return this.#trace !== null;
  }

  /** Adds an item to the end of a lane; it is dropped when `life` ends before. */
  push(name: string, life: Life, label: string, run: () => void): void {
    const lane = this.#lane(name);
    if (lane.items.length === 0) this.#waiting.push(lane);
    lane.items.push({ life, label, since: this.time.mono, run });
  }

  /** A promise that resolves when the scheduler gets to it; never when `life` ends before. */
  reach(lane: string, life: Life, label: string): Promise<void> {
    return new Promise((resolve) => this.push(lane, life, label, resolve));
  }

  /** Takes everything that waits out of a lane, oldest first. */
  empty(name: string): readonly Item[] {
    const lane = this.#lanes.get(name);
    if (!lane) return [];
    this.#waiting = this.#waiting.filter((each) => each !== lane);
    return lane.items.splice(0);
  }

  /** Runs one item or timer (not later than `until`, monotonic) and everything that follows at once. False: nothing left to do. */
  async step(until: number): Promise<boolean> {
    this.#dropDead();
    const timerAt = this.time.nextAt();
    const timer = timerAt !== null && timerAt <= until;
    if (this.#waiting.length === 0 && !timer) return false;
    if (timer && (this.#waiting.length === 0 || this.#mayLag(timerAt))) this.#fire();
    else this.#serve();
    this.steps += 1;
    await continuations();
    return true;
  }

  /** Now and then time passes although something waits; nothing waits longer than a slow machine lets it. */
  #mayLag(until: number): boolean {
    if (!this.#random.chance(0.04)) return false;
    return this.#waiting.every((lane) => until - (lane.items[0]?.since ?? until) <= longestLagMs);
  }

  #fire(): void {
    this.time.fireNext();
    this.#trace?.(`t=${this.time.mono} timer`);
  }

  #serve(): void {
    const lane = this.#random.weighted(this.#waiting.map((each) => [each.weight, each] as const));
    const item = lane.items.shift() as Item;
    if (lane.items.length === 0) this.#waiting = this.#waiting.filter((each) => each !== lane);
    this.#trace?.(`t=${this.time.mono} ${lane.name}: ${item.label}`);
    item.run();
  }

  #lane(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known) return known;
    const lane: Lane = { name, weight: this.#random.pick(weights), items: [] };
    this.#lanes.set(name, lane);
    return lane;
  }

  #dropDead(): void {
    for (const lane of this.#waiting) {
      if (lane.items.some((item) => !item.life.alive))
        lane.items = lane.items.filter((item) => item.life.alive);
    }
    if (this.#waiting.some((lane) => lane.items.length === 0)) {
      this.#waiting = this.#waiting.filter((lane) => lane.items.length > 0);
    }
  }
}

/** Resolves when no promise continuation is left: setImmediate comes after all of them. */
export function continuations(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
