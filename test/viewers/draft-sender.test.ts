import { expect, test } from 'vitest';
import { createDraftSender } from '../../electron/daemon/viewers/topics/draft-sender.ts';
import type { Viewer } from '../../electron/daemon/viewers/topics/viewer.ts';
import type { Draft } from '../../shared/protocol/bridge.ts';

/** A sender with one viewer whose socket is full or not, and time that the test moves. */
function senderUnderTest() {
  const state = { now: 0, full: false, fire: (): void => undefined, draft: null as Draft | null };
  const sent: string[] = [];
  const viewer: Viewer = {
    gone: false,
    send: (frame) => void sent.push(frame),
    sendDraft(frame) {
      if (!state.full) sent.push(JSON.parse(frame).text);
      return !state.full;
    },
  };
  const clock = {
    monotonic: () => state.now,
    after: (_ms: number, fn: () => void) => {
      state.fire = fn;
      return () => undefined;
    },
  };
  const sender = createDraftSender(clock, { topic: 't', viewers: () => [viewer], draft: () => state.draft });
  const add = (offset: number, text: string): void => {
    const known = state.draft?.parts[0]?.text ?? '';
    state.draft = { step: 's', parts: [{ kind: 'text', text: known + text }] };
    sender.add({ session: 'x', step: 's', part: 0, kind: 'text', offset, text });
  };
  const tick = (): void => {
    state.now += 34;
    state.fire();
  };
  return { state, sent, sender, add, tick };
}

test('The first piece goes out at once, later ones are gathered until the next tick.', () => {
  const { sent, add, tick } = senderUnderTest();
  add(0, 'a');
  for (let offset = 1; offset < 100; offset += 1) add(offset, 'b');
  tick();
  expect(sent).toEqual(['a', 'b'.repeat(99)]);
});

test('A viewer whose socket is full loses pieces, and gets the whole draft once there is room.', () => {
  const { state, sent, add, tick } = senderUnderTest();
  add(0, 'one ');
  state.full = true;
  add(4, 'two ');
  tick();
  add(8, 'three ');
  tick();
  state.full = false;
  add(14, 'four');
  tick();
  expect(sent).toEqual(['one ', 'one two three four']);
});

test('A long piece is several frames, and pieces of a step that ended are dropped.', () => {
  const { sent, sender, add, tick } = senderUnderTest();
  add(0, 'x'.repeat(40_000));
  add(40_000, 'y');
  sender.end('s');
  tick();
  add(40_001, 'z');
  expect(sent.map(({ length }) => length)).toEqual([32_768, 7_232]);
});
