import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LiveBoard } from '../../../electron/daemon/sessions/live-board.ts';
import { ActivityLine } from '../../../electron/worker/links/activity-line.ts';
import { DraftStream } from '../../../electron/worker/links/draft-stream.ts';
import { FakeTransport } from '../support/fake-transport.ts';
import { ManualClock } from '../support/manual-clock.ts';

const owner = { session: 'ses_1', lease: 'lse_1' };
const setUp = () => {
  const [transport, clock] = [new FakeTransport(), new ManualClock()];
  return { transport, clock, drafts: new DraftStream(transport, clock, owner) };
};
const piece = (text: string, part = 0, step = 'stp_1') => ({ step, part, kind: 'text' as const, text });
const drafts = (transport: FakeTransport) =>
  transport.sent.flatMap((frame) =>
    frame.type === 'draft' ? [[frame.step, frame.part, frame.offset, frame.text]] : [],
  );

/** What the daemon keeps of the frames, and shows to whoever comes. */
const onScreen = (transport: FakeTransport) => {
  const board = new LiveBoard();
  for (const frame of transport.sent) if (frame.type === 'draft') board.addDraft(frame);
  return board.draft('ses_1')?.parts;
};

describe('drafts', () => {
  test('the first piece goes at once, later ones are joined, 30 frames a second at most', () => {
    const { transport, clock, drafts: stream } = setUp();
    for (let n = 0; n < 1_000; n += 1) {
      stream.add(piece('x'));
      clock.advance(1);
    }
    clock.advance(1_000);
    const sent = drafts(transport);
    const text = sent.map((frame) => frame[3]).join('');
    const offsets = sent.every(
      (frame, index) =>
        frame[2] ===
        sent
          .slice(0, index)
          .map((each) => each[3])
          .join('').length,
    );
    expect({
      first: sent[0],
      frames: sent.length <= 31,
      text: text.length,
      offsets,
      timers: clock.waiting,
    }).toEqual({
      first: ['stp_1', 0, 0, 'x'],
      frames: true,
      text: 1_000,
      offsets: true,
      timers: 0,
    });
  });

  test('while the wire is full nothing is sent; what waited goes when it has drained', () => {
    const { transport, clock, drafts: stream } = setUp();
    transport.full = true;
    stream.add(piece('a'));
    for (let n = 0; n < 50; n += 1) {
      stream.add(piece('b'));
      clock.advance(100);
    }
    const before = drafts(transport).length;
    transport.drain();
    expect([before, drafts(transport)]).toEqual([
      1,
      [
        ['stp_1', 0, 0, 'a'],
        ['stp_1', 0, 1, 'b'.repeat(50)],
      ],
    ]);
  });

  test('text that cannot leave for long is dropped, and the offset tells of the gap', () => {
    const { transport, clock, drafts: stream } = setUp();
    transport.full = true;
    stream.add(piece('a'));
    stream.add(piece('b'.repeat(70_000)));
    stream.add(piece('c'));
    clock.advance(100);
    transport.drain();
    expect(drafts(transport)).toEqual([
      ['stp_1', 0, 0, 'a'],
      ['stp_1', 0, 70_001, 'c'],
    ]);
  });

  test('a restart empties what viewers have, whatever of it was sent, waits or was dropped', () => {
    const ways: readonly ((rig: ReturnType<typeof setUp>) => void)[] = [
      ({ drafts: stream }) => stream.add(piece('half ')),
      ({ drafts: stream }) => [0, 1, 2].forEach((part) => stream.add(piece('half ', part))),
      ({ drafts: stream, clock }) => {
        stream.add(piece('half '));
        clock.advance(100);
        stream.add(piece('more', 1));
        clock.advance(100);
      },
      ({ drafts: stream, transport }) => {
        transport.full = true;
        stream.add(piece('half '));
        stream.add(piece('x'.repeat(70_000)));
      },
    ];
    const seen = ways.map((before) => {
      const made = setUp();
      before(made);
      const { drafts: stream, clock, transport } = made;
      stream.add({ ...piece(''), restart: true });
      transport.drain();
      clock.advance(100);
      const emptied = onScreen(transport);
      stream.add({ ...piece('whole'), kind: 'thinking' });
      clock.advance(100);
      return { emptied, refilled: onScreen(transport), timers: clock.waiting };
    });
    const refilled = [{ kind: 'thinking', text: 'whole' }];
    expect(seen).toEqual(ways.map(() => ({ emptied: [{ kind: 'text', text: '' }], refilled, timers: 0 })));
  });

  test('a new step forgets the last one, and a cleared or closed stream leaves no timer', () => {
    const { transport, clock, drafts: stream } = setUp();
    stream.add(piece('a'));
    stream.add(piece('lost'));
    stream.add(piece('b', 0, 'stp_2'));
    clock.advance(100);
    stream.add(piece('c', 1, 'stp_2'));
    stream.clear();
    stream.close();
    expect([drafts(transport), clock.waiting]).toEqual([
      [
        ['stp_1', 0, 0, 'a'],
        ['stp_2', 0, 0, 'b'],
        ['stp_2', 1, 0, 'c'],
      ],
      0,
    ]);
  });

  test('whatever comes when: pieces of a part arrive in order, without repetition, and never faster than allowed', () => {
    const step = fc.oneof(
      fc.record({ add: fc.string({ minLength: 1, maxLength: 5 }), part: fc.nat(2) }),
      fc.record({ wait: fc.nat(80) }),
      fc.constant('fill' as const),
      fc.constant('drain' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { transport, clock, drafts: stream } = setUp();
        const said = ['', '', ''];
        for (const each of steps) {
          if (each === 'fill') transport.full = true;
          else if (each === 'drain') transport.drain();
          else if ('wait' in each) clock.advance(each.wait);
          else {
            said[each.part] += each.add;
            stream.add(piece(each.add, each.part));
          }
        }
        transport.drain();
        clock.advance(1_000);
        transport.drain();
        clock.advance(1_000);
        for (const part of [0, 1, 2]) {
          const text = drafts(transport)
            .filter((frame) => frame[1] === part)
            .map((frame) => frame[3])
            .join('');
          if (text !== said[part]) return false;
        }
        return clock.waiting === 0;
      }),
    );
  });
});

describe('activity', () => {
  test('the newest of many changes is told, ten times a second at most', () => {
    const [transport, clock] = [new FakeTransport(), new ManualClock()];
    const line = new ActivityLine(transport, clock, owner);
    for (let n = 0; n < 500; n += 1) {
      line.set(n % 2 === 0 ? `doing ${n}` : null);
      clock.advance(1);
    }
    clock.advance(1_000);
    line.set(null);
    clock.advance(1_000);
    const told = transport.sent.flatMap((frame) => (frame.type === 'activity' ? [frame.doing] : []));
    expect([told[0], told.length <= 7, told.at(-1), clock.waiting]).toEqual(['doing 0', true, null, 0]);
  });
});
