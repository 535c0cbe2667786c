// Loaded into every process of a home by NODE_OPTIONS=--import; only the daemon measures. One line of JSON per window.
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env.LOOP_DELAY_FILE;
const windowMs = Number(process.env.LOOP_DELAY_WINDOW_MS ?? 1_000);

if (file !== undefined && basename(process.argv[1] ?? '') === 'daemon.js') {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  setInterval(() => {
    const line = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, samples: delay.count };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    delay.reset();
  }, windowMs).unref();
}
