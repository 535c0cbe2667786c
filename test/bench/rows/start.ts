import { join } from 'node:path';
import { root } from '../../support/real/checkout.ts';
import { Kairos, withKairos } from '../../support/real/kairos.ts';
import { run } from '../../journeys/support/run-program.ts';
import { followSession, newSession, roundTrip } from '../../support/real/measure.ts';
import { median, repeat, spread } from '../../support/samples.ts';
import type { Row } from '../row.ts';

async function startOnce(kairos: Kairos, program: string): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await run(process.execPath, [program, 'daemon', 'start', '--json'], {
    ...kairos.env,
    KAIROS_NO_BUILD: '1',
  });
  const took = performance.now() - began;
  if (code !== 0) throw new Error(stderr);
  await kairos.stopDaemon();
  return took;
}

async function startTimes(program: string): Promise<number[]> {
  const kairos = new Kairos();
  try {
    // The first one fills the compile cache and makes the database.
    await startOnce(kairos, program);
    return await repeat(9, () => startOnce(kairos, program));
  } finally {
    await kairos.dispose();
  }
}

/** From the command to a listening port and an open store, and the first answer after it. */
export const startRow: Row = {
  name: 'start',
  title: 'Start',
  async run() {
    const bin = await startTimes(join(root, 'build/bin/kairos.mjs'));
    const firstTurns: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      await withKairos({}, async (kairos) => {
        const session = await newSession(kairos, 'first');
        const viewer = await followSession(kairos, session);
        firstTurns.push(await roundTrip(kairos, viewer, session, 'help'));
        await viewer.close();
      });
    }
    return [
      {
        name: 'bin -> ready',
        measure: 'start -> ready',
        value: median(bin),
        unit: 'ms',
        target: 500,
        pass: 1000,
        note: spread(bin),
      },
      {
        name: 'first turn after the start (sent -> settled)',
        value: median(firstTurns),
        unit: 'ms',
        target: 250,
        note: spread(firstTurns),
      },
    ];
  },
};
