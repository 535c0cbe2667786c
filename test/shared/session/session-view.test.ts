import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyEvent } from '../../../shared/domain/events.ts';
import {
  addPage,
  missingSeqs,
  olderThan,
  openSession,
  reduceSession,
  type SessionPageView,
} from '../../../shared/session/session-view.ts';
import { workedItems } from './worked-items.ts';
import { promptRow, sessionRow, workedSession } from './events.ts';

function viewOf(events: readonly AnyEvent[], seq = events.at(-1)?.seq ?? 0): SessionPageView {
  return openSession(
    { session: sessionRow(), events: [...events], older: false, prompts: [], draft: null },
    seq,
  );
}

test('A worked turn becomes message, turn, thought, folded call, prompt, unknown events, answer and end.', () => {
  expect(viewOf(workedSession()).items).toEqual(workedItems);
});

test('A call that asks shows so until the verdict, and only as long as it has not ended.', () => {
  const events = workedSession();
  const states = events.map((_, index) => {
    const { items } = viewOf(events.slice(0, index + 1));
    const calls = items.find((item) => item.kind === 'calls');
    return calls?.kind === 'calls' ? calls.calls[0]?.state : null;
  });
  expect(states).toEqual([
    null,
    null,
    null,
    null,
    null,
    'running',
    'asking',
    'running',
    ...Array(6).fill('ok'),
  ]);
});

const log = workedSession(['m-1', 'm-2', 'm-3']);
const part = fc.tuple(fc.nat(log.length - 1), fc.nat(6));

test('Any snapshot, pages and tails, in any order and with repeats, give the same view.', () => {
  const whole = viewOf(log);
  fc.assert(
    fc.property(fc.nat(log.length), fc.nat(5), fc.array(part, { maxLength: 8 }), (at, held, parts) => {
      const newest = log.slice(Math.max(0, at - held), at);
      let view = viewOf(newest, at);
      for (const [from, length] of parts) {
        const some = log.slice(from, from + length);
        view = length % 2 === 0 ? addPage(view, some.toReversed()) : some.reduce(addEvent, view);
      }
      for (let seq = at + 1; seq <= log.length; seq += 1) {
        const event = log[seq - 1];
        if (event !== undefined) view = addEvent(view, event);
      }
      for (let before = olderThan(view); before !== null; before = olderThan(view)) {
        view = addPage(view, log.slice(Math.max(0, before - 3), before - 1).toReversed());
      }
      for (const seq of missingSeqs(view)) view = addPage(view, log.slice(seq - 1, seq));
      expect(view).toEqual(whole);
    }),
  );
});

function addEvent(view: SessionPageView, event: AnyEvent): SessionPageView {
  return reduceSession(view, { type: 'event', event });
}

test('The reducer changes nothing it was given.', () => {
  const freeze = <Value>(value: Value): Value => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  let view = freeze(viewOf([]));
  for (const event of log) view = freeze(addEvent(view, event));
  view = freeze(reduceSession(view, { type: 'prompt', prompt: promptRow() }));
  view = freeze(
    reduceSession(view, { type: 'draft', step: 's', part: 0, kind: 'text', offset: 0, text: 'a' }),
  );
  view = freeze(
    reduceSession(view, { type: 'draft', step: 's', part: 0, kind: 'text', offset: 1, text: 'b' }),
  );
  expect(view.draft).toEqual({ step: 's', parts: [{ kind: 'text', text: 'ab' }] });
});

test('Holes are named: an event known by number only, and what an empty snapshot lacks.', () => {
  const view = [3, 4, 6].reduce((known, seq) => addEvent(known, log[seq - 1] ?? log[0]!), viewOf([], 2));
  const large = reduceSession(view, { type: 'large_event', place: { seq: 8 } });
  expect([
    olderThan(view),
    missingSeqs(view),
    missingSeqs(large),
    large.seq,
    olderThan(viewOf([], 5)),
  ]).toEqual([3, [5], [5, 7, 8], 8, 6]);
});

test.each<[string, [number, number, string][], string[] | null]>([
  [
    'pieces that follow',
    [
      [0, 0, 'ab'],
      [0, 2, 'c'],
      [1, 0, 'x'],
    ],
    ['abc', 'x'],
  ],
  [
    'a repeat of the whole',
    [
      [0, 0, 'ab'],
      [1, 0, 'x'],
      [0, 0, 'abc'],
      [1, 0, 'xy'],
    ],
    ['abc', 'xy'],
  ],
  [
    'an overlap',
    [
      [0, 0, 'abc'],
      [0, 2, 'cd'],
    ],
    ['abcd'],
  ],
  [
    'something old',
    [
      [0, 0, 'abc'],
      [0, 1, 'b'],
    ],
    ['abc'],
  ],
  [
    'a gap within a part',
    [
      [0, 0, 'ab'],
      [0, 3, 'd'],
    ],
    null,
  ],
  [
    'a missing part',
    [
      [0, 0, 'ab'],
      [2, 0, 'z'],
    ],
    null,
  ],
  ['a beginning in the middle', [[0, 5, 'f']], null],
])('A draft takes %s.', (_name, pieces, texts) => {
  let view = viewOf([]);
  for (const [index, offset, text] of pieces) {
    view = reduceSession(view, { type: 'draft', step: 's', part: index, kind: 'text', offset, text });
  }
  expect(view.draftGap ? null : view.draft?.parts.map(({ text }) => text)).toEqual(texts);
});

test('The committed reply ends its draft, and late pieces do not bring it back.', () => {
  const piece = { type: 'draft', step: 'stp_1', part: 0, kind: 'text', offset: 0, text: 'a' } as const;
  const drafting = reduceSession(viewOf(log.slice(0, 6)), piece);
  const replied = addPage(drafting, log.slice(6, 8));
  const late = reduceSession(replied, piece);
  const ended = reduceSession(drafting, { type: 'draft_ended', step: 'stp_1' });
  const other = reduceSession(drafting, { type: 'draft_ended', step: 'stp_0' });
  expect([drafting, replied, late, ended, other].map(({ draft }) => draft?.parts[0]?.text ?? null)).toEqual([
    'a',
    null,
    null,
    null,
    'a',
  ]);
});

test('A prompt closes by its event or its frame, whichever is first, and never opens again.', () => {
  const opened = reduceSession(viewOf(log.slice(0, 9)), { type: 'prompt', prompt: promptRow() });
  const byEvent = addPage(opened, log);
  const stale = reduceSession(byEvent, { type: 'prompt', prompt: promptRow() });
  const unseen = reduceSession(viewOf(log), { type: 'prompt', prompt: promptRow() });
  const byFrame = reduceSession(opened, { type: 'prompt', prompt: promptRow({ state: 'expired' }) });
  const states = [opened, byEvent, stale, unseen, byFrame].map(({ prompts }) =>
    prompts.map(({ state }) => state),
  );
  expect(states).toEqual([['open'], ['decided'], ['decided'], [], ['expired']]);
});
