import { describe, expect, it } from 'vitest';
import { createLimit } from '../support/limit.ts';
import { conversationNames, conversationOf, crashPoints, pointName, runAt } from '../support/points.ts';

const limited = createLimit(3);
const later = [2, 3, 5, 8]
  .flatMap((nth) => crashPoints(nth))
  .map((point) => ({ point, conversation: conversationOf(point) }));
const first = conversationNames.flatMap((conversation) =>
  crashPoints(1).map((point) => ({ point, conversation })),
);
const points = [...first, ...later].map((each) => ({
  ...each,
  title: `${each.conversation} ${pointName(each.point)}`,
}));

// Not every boundary is passed eight times, or by both: a point that was never reached is an undisturbed run and must be fine too.
describe.concurrent('Each conversation that dies at a boundary, and the one that passes it when it does so again, is finished with nothing lost and nothing repeated', () => {
  it.each(points)('$title', { timeout: 3_600_000 }, async ({ point, conversation }) => {
    const { problems, lost, doubled } = await limited(() => runAt(point, conversation));
    expect({ problems, lost, doubled }).toEqual({ problems: [], lost: 0, doubled: 0 });
  });
});
