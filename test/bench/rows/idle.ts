import { setTimeout as delay } from 'node:timers/promises';
import { startKairos } from '../../support/real/kairos.ts';
import { cpuOf, wakeUpsOf } from '../../support/real/processes.ts';
import { median, spread } from '../../support/samples.ts';
import type { Row } from '../row.ts';

const seconds = 60;

/** Five homes that do nothing for a minute, side by side: what the machine pays for having Kairos around. */
export const idleRow: Row = {
  name: 'idle',
  title: 'Idle for 60 s (supervisor and daemon)',
  async run() {
    const homes = await Promise.all(Array.from({ length: 5 }, () => startKairos()));
    try {
      // First the login shell is read and memory is given back, which V8 follows up with a collection of its own.
      await delay(30_000);
      const pids = homes.map((kairos) => kairos.processes().map(({ pid }) => pid));
      const before = pids.map((each) => ({ cpu: cpuOf(each), wakeUps: wakeUpsOf(each) }));
      await delay(seconds * 1000);
      const cpu = pids.map((each, index) => cpuOf(each) - (before[index]?.cpu ?? 0));
      const wakeUps = pids.map((each, index) => (wakeUpsOf(each) - (before[index]?.wakeUps ?? 0)) / seconds);
      return [
        {
          name: 'CPU in 60 s',
          measure: 'idle CPU over 60 s',
          value: median(cpu),
          unit: 'ms',
          target: 20,
          pass: 100,
          note: spread(cpu),
        },
        {
          name: 'wake-ups of all threads',
          value: median(wakeUps),
          unit: '1/s',
          target: 2,
          note: spread(wakeUps),
        },
      ];
    } finally {
      await Promise.all(homes.map((kairos) => kairos.dispose()));
    }
  },
};
