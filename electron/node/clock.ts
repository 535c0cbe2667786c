import { uptime } from 'node:os';
import type { Cancel, Clock } from '../../shared/base/ports.ts';

/** Set by the bundler for crash tests only; everywhere else the code below vanishes from the program. */
declare const __CRASH_POINTS__: boolean | undefined;

/** In a build for crash tests, KAIROS_WALL_OFFSET_MS sets the wall clock of a program without touching the machine's. */
function wallNow(): number {
  const real = Date.now();
  if (typeof __CRASH_POINTS__ === 'undefined' || __CRASH_POINTS__ !== true) return real;
  return real + Number(process.env.KAIROS_WALL_OFFSET_MS ?? 0);
}

/** Longest delay that one timer of Node can hold; a longer one would fire at once, so it is split. */
const longestTimerMs = 2 ** 31 - 1;

function after(ms: number, fn: () => void, options: { keepAlive?: boolean } = {}): Cancel {
  let timer: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    const step = Math.min(leftMs, longestTimerMs);
    timer = setTimeout(() => (leftMs > step ? arm(leftMs - step) : fn()), step);
    if (options.keepAlive === false) timer.unref();
  };
  arm(Math.max(0, ms));
  return () => clearTimeout(timer);
}

/** The machine's own time: wall clock of the system, monotonic ms since this process started, timers of any length. */
export const systemClock: Clock = {
  now: wallNow,
  monotonic: () => performance.now(),
  sinceBoot: () => uptime() * 1000,
  after,
};

/** Resolves in the next turn of the event loop, after waiting input and output were served. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
