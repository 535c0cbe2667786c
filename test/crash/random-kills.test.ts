import { expect, it } from 'vitest';
import { killAtRandom, reportLine } from './support/random-kills.ts';

it('60 kills at random instants lose nothing and repeat nothing', { timeout: 300_000 }, async () => {
  const report = await killAtRandom({ seed: 20_261_130, kills: 60, sessions: 6 });
  process.stdout.write(`${reportLine(report)}\n`);
  const { problems, lost, doubled } = report;
  expect({ problems, lost, doubled }).toEqual({ problems: [], lost: 0, doubled: 0 });
});
