// Loaded into every process of a home by NODE_OPTIONS=--import; only the daemon measures. One line of JSON per window.
import { appendFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { percentile } from '../samples.ts';

const everyMs = 10;
const file = process.env.LOOP_DELAY_FILE;
const windowMs = Number(process.env.LOOP_DELAY_WINDOW_MS ?? 1_000);

/** How long this thread was ready and no core was free so far, ms; 0 where the system does not say. */
function coreWait(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

/** Collects by how much timers came late, apart from the time in which others had the cores. */
function watchOwnDelay(): { take(): number[] } {
  let samples: number[] = [];
  let last = { at: performance.now(), wait: coreWait() };
  const tick = (): void => {
    const now = { at: performance.now(), wait: coreWait() };
    samples.push(Math.max(0, now.at - last.at - everyMs - (now.wait - last.wait)));
    last = now;
    setTimeout(tick, everyMs).unref();
  };
  setTimeout(tick, everyMs).unref();
  return {
    take() {
      const taken = samples;
      samples = [];
      return taken;
    },
  };
}

if (file !== undefined && basename(process.argv[1] ?? '') === 'daemon.js') {
  const delay = monitorEventLoopDelay({ resolution: everyMs });
  const own = watchOwnDelay();
  let wait = coreWait();
  delay.enable();
  setInterval(() => {
    const before = wait;
    wait = coreWait();
    const line = {
      p99: delay.percentile(99) / 1e6,
      max: delay.max / 1e6,
      ownP99: percentile(own.take(), 0.99),
      coreWaitMs: wait - before,
    };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    delay.reset();
  }, windowMs).unref();
}
