import { measureBusyLoop } from '../../support/real/busy-workers.ts';
import { median, spread } from '../../support/samples.ts';
import type { Row } from '../row.ts';

const workers = 16;
const databaseBytes = 3_000_000_000;
const windowMs = 5_000;

/** What a daemon with years of history does while everybody works (quality.md, class 24); measured inside it. */
export const loopRow: Row = {
  name: 'loop',
  title: 'Event loop of the daemon: 16 busy workers, a database of 3 GB',
  async run() {
    const report = await measureBusyLoop({ workers, databaseBytes, windows: 5, windowMs });
    const p99 = report.windows.map((window) => window.p99);
    const own = report.windows.map(({ ownP99 }) => ownP99);
    const longest = Math.max(...report.windows.map(({ max }) => max)).toFixed(0);
    const waited = report.windows.reduce((sum, { coreWaitMs }) => sum + coreWaitMs, 0);
    const share = Math.round((100 * waited) / (report.windows.length * windowMs));
    return [
      {
        name: 'event-loop delay p99 (median of 5 windows of 5 s)',
        value: median(p99),
        unit: 'ms',
        target: 50,
        note: `${spread(p99)}; longest ${longest} ms; ready without a core ${share} % of the time`,
      },
      {
        name: 'the same without the time in which others had the cores',
        value: median(own),
        unit: 'ms',
        pass: 50,
        note: `${spread(own)}; ${(report.databaseBytes / 1e9).toFixed(1)} GB`,
      },
    ];
  },
};
