import { describe, expect, it } from 'vitest';
import { createLimit } from '../support/limit.ts';
import { crashPoints, pointName } from '../support/points.ts';
import { runScenario } from '../support/scenario.ts';

const limited = createLimit(3);
const points = [2, 3, 5, 8]
  .flatMap((nth) => crashPoints(nth))
  .map((point) => ({ ...point, title: pointName(point) }));

// Not every boundary is passed eight times: a point that was never reached is an undisturbed run and must be fine too.
describe.concurrent('A conversation that dies at a later passing of a boundary is finished with nothing lost and nothing repeated', () => {
  it.each(points)('$title', { timeout: 1_800_000 }, async (point) => {
    const { problems, lost, doubled, messages } = await limited(() => runScenario(point));
    expect({ problems, lost, doubled, messages }).toEqual({ problems: [], lost: 0, doubled: 0, messages: 7 });
  });
});
