import { describe, expect, it } from 'vitest';
import { createLimit } from '../support/limit.ts';
import { conversationNames, crashPoints, pointName, runAt } from '../support/points.ts';

const limited = createLimit(3);
const points = [1, 2, 3, 5, 8]
  .flatMap((nth) => crashPoints(nth))
  .flatMap((point) =>
    conversationNames.map((conversation) => ({
      point,
      conversation,
      title: `${conversation} ${pointName(point)}`,
    })),
  );

// Not every boundary is passed eight times, or by both: a point that was never reached is an undisturbed run and must be fine too.
describe.concurrent('Each conversation that dies at any passing of a boundary is finished with nothing lost and nothing repeated', () => {
  it.each(points)('$title', { timeout: 3_600_000 }, async ({ point, conversation }) => {
    const { problems, lost, doubled } = await limited(() => runAt(point, conversation));
    expect({ problems, lost, doubled }).toEqual({ problems: [], lost: 0, doubled: 0 });
  });
});
