import { describe, expect, it } from 'vitest';
import { createLimit } from './support/limit.ts';
import { commonPoints, pointName, runAt } from './support/points.ts';

// Three conversations at a time: each mostly waits, and the smallest machine has two cores.
const limited = createLimit(3);
const points = commonPoints().map((point) => ({ ...point, title: pointName(point) }));

describe.concurrent('A conversation that dies at a named boundary is finished with nothing lost and nothing repeated', () => {
  it.each(points)('$title', { timeout: 600_000 }, async (point) => {
    const { problems, crashed, lost, doubled } = await limited(() => runAt(point));
    expect({ problems, crashed, lost, doubled }).toEqual({
      problems: [],
      crashed: true,
      lost: 0,
      doubled: 0,
    });
  });
});
