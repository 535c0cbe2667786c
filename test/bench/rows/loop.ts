import { measureBusyLoop } from '../../support/real/busy-workers.ts';
import { median, spread } from '../../support/samples.ts';
import type { Row } from '../row.ts';

const workers = 16;
const databaseBytes = 3_000_000_000;

/** What a daemon with years of history does while everybody works (quality.md, class 24); measured inside it. */
export const loopRow: Row = {
  name: 'loop',
  title: 'Event loop of the daemon: 16 busy workers, a database of 3 GB',
  async run() {
    const { windows, databaseBytes: size } = await measureBusyLoop({
      workers,
      databaseBytes,
      windows: 5,
      windowMs: 5_000,
    });
    const p99 = windows.map((window) => window.p99);
    return [
      {
        name: 'event-loop delay p99 (median of 5 windows of 5 s)',
        value: median(p99),
        unit: 'ms',
        target: 50,
        pass: 50,
        note: `${spread(p99)}; longest ${Math.max(...windows.map(({ max }) => max)).toFixed(0)} ms; ${(size / 1e9).toFixed(1)} GB`,
      },
    ];
  },
};
