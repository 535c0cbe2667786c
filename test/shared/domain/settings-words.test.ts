import { expect, it } from 'vitest';
import { parseSettings } from '../../../shared/domain/settings.ts';

it.each<[string, unknown, RegExp]>([
  ['logs.level', { logs: { level: 'loud' } }, /\(logs\.level has to be one of "\w+"(, "\w+")+\)/],
  [
    'agent.stepsPerTurn',
    { agent: { stepsPerTurn: 'many' } },
    /\(agent\.stepsPerTurn has to be a (whole )?number\)/,
  ],
  [
    'agent.stepsPerTurn',
    { agent: { stepsPerTurn: -1 } },
    /\(agent\.stepsPerTurn has to be (at least|more than) \d+\)/,
  ],
])('a wrong %s is told with what would be valid', (_name, file, words) => {
  expect(parseSettings(file).notices[0]).toMatch(words);
});
