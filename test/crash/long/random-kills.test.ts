import { expect, it } from 'vitest';
import { killAtRandom, reportLine } from '../support/random-kills.ts';

// KAIROS_KILLS and KAIROS_SEED make it longer or different: a soak is this test with other numbers.
const kills = Number(process.env.KAIROS_KILLS ?? 320);
const seed = Number(process.env.KAIROS_SEED ?? 1);

it(`${kills} kills at random instants lose nothing and repeat nothing (seed ${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const report = await killAtRandom({ seed, kills, sessions: 6 });
  process.stdout.write(`${reportLine(report)}\n`);
  const { problems, lost, doubled } = report;
  expect({ problems, lost, doubled }).toEqual({ problems: [], lost: 0, doubled: 0 });
});
