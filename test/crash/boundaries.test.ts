import { describe, expect, it } from 'vitest';
import { createLimit } from './support/limit.ts';
import { crashPoints, pointName } from './support/points.ts';
import { runScenario } from './support/scenario.ts';

// Two conversations at a time: each mostly waits, and the smallest machine has two cores.
const limited = createLimit(3);
const points = crashPoints(1).map((point) => ({ ...point, title: pointName(point) }));

describe.concurrent('A conversation that dies at a named boundary is finished with nothing lost and nothing repeated', () => {
  it.each(points)('$title', { timeout: 600_000 }, async (point) => {
    const { problems, crashed, lost, doubled, messages } = await limited(() => runScenario(point));
    expect({ problems, crashed, lost, doubled, messages }).toEqual({
      problems: [],
      crashed: true,
      lost: 0,
      doubled: 0,
      messages: 7,
    });
  });
});
