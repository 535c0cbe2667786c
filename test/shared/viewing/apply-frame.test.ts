import { expect, test } from 'vitest';
import { applyFrame } from '../../../shared/viewing/apply-frame.ts';
import { emptyWindow, type WindowState } from '../../../renderer/store/window-state.ts';
import type { UnsentMessage } from '../../../shared/viewing/unsent-message.ts';
import type { ServerFrame } from '../../../shared/protocol/bridge.ts';
import { home, prompt, received, session, snapshot } from '../../renderer/support/samples.ts';

const topic = 'session:s';
const after = (state: WindowState, ...frames: ServerFrame[]): WindowState =>
  frames.reduce((current, frame) => {
    const next = applyFrame(current, frame);
    if (next === 'unreadable') throw new Error('unreadable');
    return next;
  }, state);

const opened = (...seqs: number[]): ServerFrame => ({
  type: 'snapshot',
  topic,
  place: { epoch: '', seq: seqs.at(-1) ?? 0 },
  view: snapshot(seqs.map((seq) => received(seq, `message-${seq}`))),
});
const seqs = (state: WindowState): number[] | undefined => state.pages.s?.events.map(({ seq }) => seq);

test('Home is what its snapshot says, and every change replaces what it names.', () => {
  const state = after(
    emptyWindow,
    {
      type: 'snapshot',
      topic: 'home',
      place: { epoch: 'e', seq: 1 },
      view: home({ sessions: [session('a')], prompts: [prompt('p')] }),
    },
    {
      type: 'change',
      topic: 'home',
      place: { epoch: 'e', seq: 2 },
      change: { type: 'session', session: session('b') },
    },
    {
      type: 'change',
      topic: 'home',
      place: { epoch: 'e', seq: 3 },
      change: { type: 'prompt', prompt: prompt('p', { state: 'decided' }) },
    },
  );
  expect({ sessions: state.home?.sessions.map(({ id }) => id), prompts: state.home?.prompts }).toEqual({
    sessions: ['a', 'b'],
    prompts: [],
  });
});

test('A snapshot of another shape is unreadable, and leaves it to the window to say so.', () => {
  const frame: ServerFrame = {
    type: 'snapshot',
    topic: 'home',
    place: { epoch: 'e', seq: 1 },
    view: { sessions: 'none' },
  };
  expect([applyFrame(emptyWindow, frame), applyFrame(emptyWindow, { ...frame, topic })]).toEqual([
    'unreadable',
    'unreadable',
  ]);
});

test('Frames of a session that was never opened, and those without a topic, change nothing.', () => {
  const event: ServerFrame = { type: 'event', topic, place: { epoch: '', seq: 1 }, event: received(1, 'a') };
  expect([applyFrame(emptyWindow, event), applyFrame(emptyWindow, { type: 'pong', n: 1 })]).toEqual([
    emptyWindow,
    emptyWindow,
  ]);
});

test('A later snapshot that touches what is loaded keeps the older events; one with a hole before it begins anew.', () => {
  const first = after(emptyWindow, opened(4, 5, 6));
  expect({
    touching: seqs(after(first, opened(6, 7))),
    next: seqs(after(first, opened(7, 8))),
    far: seqs(after(first, opened(9, 10))),
  }).toEqual({
    touching: [4, 5, 6, 7],
    next: [4, 5, 6, 7, 8],
    far: [9, 10],
  });
});

test('A later snapshot says anew what is asked: prompts that ended meanwhile are gone.', () => {
  const asking: ServerFrame = {
    type: 'snapshot',
    topic,
    place: { epoch: '', seq: 1 },
    view: snapshot([received(1, 'a')], { prompts: [prompt('p')] }),
  };
  const state = after(emptyWindow, asking, opened(1, 2));
  expect(state.pages.s?.prompts).toEqual([]);
});

test('An unsent message goes when its event comes, and only that one.', () => {
  const unsent = (uuid: string, of: string): UnsentMessage => ({
    uuid,
    session: of,
    text: uuid,
    at: 1,
    stored: true,
    fault: null,
  });
  const state = after(
    { ...emptyWindow, unsent: [unsent('a', 's'), unsent('b', 's'), unsent('a', 'other')] },
    opened(1),
    {
      type: 'event',
      topic,
      place: { epoch: '', seq: 2 },
      event: received(2, 'a'),
    },
  );
  expect(state.unsent.map(({ uuid, session: of }) => `${of} ${uuid}`)).toEqual(['s b', 'other a']);
});
