import { describe, expect, it } from 'vitest';
import {
  pastMost,
  pastOf,
  shortened,
  touches,
  withNewerPage,
  withOlderPage,
} from '../../../renderer/store/past.ts';
import { openSession } from '../../../shared/session/session-view.ts';
import { received, snapshot } from '../support/samples.ts';

const events = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => received(from + index, `m${from + index}`));
const range = ({ events: all }: { readonly events: readonly { readonly seq: number }[] }) => [
  all[0]?.seq,
  all.at(-1)?.seq,
  all.length,
];

describe('A stretch of a long history', () => {
  it('grows upwards by pages in any order and lets go of what is far below', () => {
    let stretch = pastOf(events(5_000, 5_999).toReversed());
    for (let first = 4_750; first >= 1_000; first -= 250)
      stretch = withOlderPage(stretch.events, events(first, first + 249).toReversed());
    expect({ range: range(stretch), items: stretch.items.length, hole: hasHole(stretch) }).toEqual({
      range: [1_000, 999 + pastMost, pastMost],
      items: pastMost,
      hole: false,
    });
  });

  it('grows downwards likewise, an overlapping page twice is once', () => {
    let stretch = pastOf(events(1, 1_400));
    stretch = withNewerPage(stretch.events, events(1_300, 1_700));
    stretch = withNewerPage(stretch.events, events(1_300, 1_700));
    expect({ range: range(stretch), hole: hasHole(stretch) }).toEqual({
      range: [1_700 - pastMost + 1, 1_700, pastMost],
      hole: false,
    });
  });

  it('is over where nothing lies between it and the session’s own page', () => {
    const page = openSession(snapshot(events(100, 120), { older: true }), 120);
    expect([98, 99, 110].map((last) => touches(pastOf(events(50, last)), page))).toEqual([false, true, true]);
  });
});

it('A page is shortened to its newest events, and what it knows besides stays', () => {
  const page = openSession(snapshot(events(1, 50)), 50);
  const short = shortened(page, 20);
  expect({
    range: range(short),
    seq: short.seq,
    items: short.items.length,
    same: shortened(page, 50) === page,
  }).toEqual({
    range: [31, 50, 20],
    seq: 50,
    items: 20,
    same: true,
  });
});

function hasHole({ events: all }: { readonly events: readonly { readonly seq: number }[] }): boolean {
  return all.some(({ seq }, index) => index > 0 && seq !== (all[index - 1]?.seq ?? 0) + 1);
}
