import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Entry,
  historyWindow,
  type Place,
  scrolled,
} from '../../../electron/cli/viewer/conversation/history-window.ts';
import { lineText, span } from '../../../electron/cli/viewer/text/line.ts';

/** An entry whose rows tell its seq and their number. */
function entry(seq: number, height: number): Entry {
  return { seq, lines: () => Array.from({ length: height }, (_, line) => [span(`${seq}.${line}`)]) };
}
const entries = [entry(1, 3), entry(4, 1), entry(5, 4), entry(9, 2)];
const end: Place = { kind: 'end' };
const rows = (list: readonly Entry[], place: Place, height: number): string[] =>
  historyWindow(list, place, height).rows.map(lineText);

describe('the rows in sight', () => {
  test('At the end the newest rows are shown, and new ones are followed.', () => {
    expect([rows(entries, end, 4), rows([...entries, entry(10, 1)], end, 4)]).toEqual([
      ['5.2', '5.3', '9.0', '9.1'],
      ['5.3', '9.0', '9.1', '10.0'],
    ]);
  });

  test('Scrolled up, the same row stays at the top whatever is added above and below.', () => {
    const place = scrolled(entries, end, 4, -3);
    const grown = [entry(-3, 7), entry(0, 2), ...entries, entry(10, 50)];
    expect({ place, before: rows(entries, place, 4), after: rows(grown, place, 4) }).toEqual({
      place: { kind: 'row', seq: 4, line: 0 },
      before: ['4.0', '5.0', '5.1', '5.2'],
      after: ['4.0', '5.0', '5.1', '5.2'],
    });
  });

  test('Scrolling down to the last row follows again; up it ends at the first row.', () => {
    const top = scrolled(entries, end, 4, -100);
    expect({
      top,
      down: scrolled(entries, scrolled(entries, end, 4, -2), 4, 2),
      first: rows(entries, top, 4),
    }).toEqual({
      top: { kind: 'row', seq: 1, line: 0 },
      down: end,
      first: ['1.0', '1.1', '1.2', '4.0'],
    });
  });

  test('Few rows are all in sight and are their own end.', () => {
    const {
      isAtEnd,
      rows: shown,
      newestSeq,
    } = historyWindow([entry(1, 2)], { kind: 'row', seq: 1, line: 1 }, 5);
    expect({ isAtEnd, newestSeq, shown: shown.map(lineText) }).toEqual({
      isAtEnd: true,
      newestSeq: 1,
      shown: ['1.0', '1.1'],
    });
  });

  test('A row that became part of an earlier entry gives way to that entry.', () => {
    expect(rows([entry(1, 3), entry(3, 5), entry(9, 2)], { kind: 'row', seq: 5, line: 2 }, 3)).toEqual([
      '3.0',
      '3.1',
      '3.2',
    ]);
  });

  test('Up and down by the same number of rows comes back, wherever one was.', () => {
    const heights = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        heights,
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 6 }),
        (all, height, up, by) => {
          const list = all.map((rowCount, index) => entry(index + 1, rowCount));
          const place = scrolled(list, end, height, -up);
          const higher = scrolled(list, place, height, -by);
          const moved = rows(list, higher, height)[0] !== rows(list, place, height)[0];
          const total = all.reduce((sum, rowCount) => sum + rowCount, 0);
          const above = Math.min(up, Math.max(0, total - height));
          if (!moved || above + by > total - height) return;
          expect(rows(list, scrolled(list, higher, height, by), height)).toEqual(rows(list, place, height));
        },
      ),
    );
  });
});

test('Only entries near what is in sight are laid out, however many there are.', () => {
  let laidOut = 0;
  const many = Array.from(
    { length: 100_000 },
    (_, index): Entry => ({ seq: index + 1, lines: () => ((laidOut += 1), [[span('x')]]) }),
  );
  historyWindow(many, { kind: 'row', seq: 50_000, line: 0 }, 40);
  expect(laidOut).toBeLessThan(300);
});
