import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callSubject } from '../../../shared/viewing/call-subject.ts';
import { isAtEnd, placeOf, type RowBox } from '../../../renderer/views/history/scroll-place.ts';
import { turnsOf, visibleItems } from '../../../shared/viewing/visible-items.ts';
import type { CallItem, SessionItem } from '../../../shared/session/session-view-items.ts';

const at = { seq: 1, at: 1 };
const call = (tool: string): CallItem => ({
  ...at,
  call: tool,
  step: 's',
  tool,
  input: {},
  decision: { behavior: 'allow', by: 'mode', rule: null },
  state: 'ok',
  until: null,
  head: null,
  spill: null,
  endedAt: 1,
});
const calls = (...tools: string[]): SessionItem => ({
  ...at,
  kind: 'calls',
  turn: 't',
  calls: tools.map(call),
});
const turn = (cause: 'person' | 'schedule'): SessionItem => ({
  ...at,
  kind: 'turn',
  turn: 't',
  cause,
  steps: 1,
  calls: 2,
  tokens: 0,
  microUsd: 0,
  outcome: 'done',
  endedAt: 2,
});
const notice = (name: 'paused' | 'nudged'): SessionItem => ({
  ...at,
  kind: 'notice',
  notice: name,
  detail: '',
});
const reply: SessionItem = {
  ...at,
  kind: 'reply',
  turn: 't',
  step: 's',
  model: 'm',
  text: 'x',
  thinking: '',
};
const asked = (state: 'open' | 'expired'): SessionItem => ({
  ...at,
  kind: 'prompt',
  prompt: 'p',
  code: 'abcde',
  promptKind: 'approval',
  call: null,
  tool: null,
  headline: 'h',
  expiresAt: 1,
  state,
  verdict: null,
  by: null,
});

describe('The items that a person sees', () => {
  const all = [
    calls('SendUserMessage'),
    calls('Bash', 'SendUserMessage'),
    turn('person'),
    turn('schedule'),
    notice('paused'),
    notice('nudged'),
    reply,
    asked('open'),
    asked('expired'),
  ];

  test('in brief leave out what speaks for itself; in detail only the open prompt, which is the card.', () => {
    expect({ brief: visibleItems(all, false), detail: visibleItems(all, true) }).toEqual({
      brief: [calls('Bash', 'SendUserMessage'), turn('schedule'), notice('paused'), asked('expired')],
      detail: all.filter((item) => item.kind !== 'prompt' || item.state !== 'open'),
    });
  });

  test('count for a turn in brief the calls that its fold shows.', () => {
    const items = [turn('person'), calls('Bash', 'SendUserMessage')];
    expect([turnsOf(items, false).get('t')?.calls, turnsOf(items, true).get('t')?.calls]).toEqual([1, 2]);
  });

  test.each([
    [{ command: 'ls\u202E', description: 'x' }, 'ls<U+202E>'],
    [{ file_path: '/a' }, '/a'],
    [{ other: 1 }, '{"other":1}'],
    ['text', 'text'],
    [undefined, ''],
  ])('name a call with the input %j as %j.', (input, subject) => {
    expect(callSubject(input)).toBe(subject);
  });
});

describe('The place in a history', () => {
  test('is the end with the last line in sight, a few pixels aside.', () => {
    const box = (scrollTop: number) => ({ scrollTop, clientHeight: 100, scrollHeight: 500 });
    expect([400, 393, 391].map((top) => isAtEnd(box(top)))).toEqual([true, true, false]);
  });

  test('is else the first row in sight, whatever the heights of the rows are.', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 2, maxLength: 60 }),
        fc.nat(1000),
        (heights, share) => {
          let top = 0;
          const rows: RowBox[] = heights.map((height, seq) => {
            top += height;
            return { seq, top: top - height, height };
          });
          const box = {
            scrollTop: Math.floor((top * share) / 1001),
            clientHeight: 1,
            scrollHeight: top + 20,
          };
          const first = rows.find((row) => row.top + row.height > box.scrollTop);
          expect(placeOf(box, { length: rows.length, at: (index) => rows[index] as RowBox })).toEqual({
            kind: 'row',
            seq: first?.seq,
            offset: (first?.top ?? 0) - box.scrollTop,
          });
        },
      ),
    );
  });
});
