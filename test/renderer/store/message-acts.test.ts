import { createStore } from 'zustand/vanilla';
import { expect, test } from 'vitest';
import type { BridgeHttp, BridgeRequest } from '../../../renderer/connection/bridge-http.ts';
import type { Asked, Fault } from '../../../shared/viewing/fault.ts';
import { createKept } from '../../../renderer/store/kept.ts';
import { createMessageActs } from '../../../renderer/store/message-acts.ts';
import { emptyWindow, type WindowState } from '../../../renderer/store/window-state.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { memoryStorage } from '../support/memory-storage.ts';

const nobody: Fault = { status: 0, code: 'unreached', message: '', next: '' };
const tooLarge: Fault = { status: 413, code: 'too_large', message: 'Too long.', next: 'Use a file.' };
const stored = {
  session: 's',
  message: 'm',
  state: 'working',
  settledBy: null,
  replies: [],
  duplicate: false,
};

/** Message acts over a daemon that answers as told. */
function make() {
  const asked: BridgeRequest[] = [];
  const answers: Asked<unknown>[] = [];
  const http: BridgeHttp = {
    signIn: () => undefined,
    ask: async <Value>(request: BridgeRequest) => {
      asked.push(request);
      return (answers.shift() ?? { ok: true, value: stored }) as Asked<Value>;
    },
    load: async (path) => {
      asked.push({ path });
      return (answers.shift() ?? { ok: true, value: new Blob(['content']) }) as Asked<Blob>;
    },
  };
  const store = createStore<WindowState>()(() => emptyWindow);
  const kept = createKept(memoryStorage());
  let count = 0;
  const live = {
    follow: () => undefined,
    leave: () => undefined,
    tellTyping: () => undefined,
    nudge: () => undefined,
  };
  const acts = createMessageActs({
    store,
    http,
    live,
    clock: new FakeClock(),
    newUuid: () => `uuid-${(count += 1)}`,
    kept,
  });
  return { acts, answers, kept, store, bodies: () => asked.map(({ body }) => body) };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test('A message that the daemon took is neither shown as unsent nor kept.', async () => {
  const { acts, kept, store, bodies } = make();
  acts.send('s', 'hello');
  const during = { shown: store.getState().unsent.length, kept: kept.unsent().length };
  await settle();
  expect({ during, bodies: bodies(), after: store.getState().unsent, kept: kept.unsent() }).toEqual({
    during: { shown: 1, kept: 1 },
    bodies: [{ text: 'hello', uuid: 'uuid-1', session: 's' }],
    after: [],
    kept: [],
  });
});

test('Messages that nobody took wait in order and are sent again with the same uuids.', async () => {
  const { acts, answers, kept, store, bodies } = make();
  answers.push({ ok: false, fault: nobody }, { ok: false, fault: nobody });
  acts.send('s', 'one');
  await settle();
  acts.send('s', 'two');
  await settle();
  const waiting = {
    shown: store.getState().unsent.map(({ text }) => text),
    kept: kept.unsent().map(({ uuid }) => uuid),
  };
  acts.sendWaiting();
  await settle();
  expect({
    waiting,
    sent: bodies().map((body) => (body as { uuid: string }).uuid),
    after: store.getState().unsent,
    kept: kept.unsent(),
  }).toEqual({
    waiting: { shown: ['one', 'two'], kept: ['uuid-1', 'uuid-2'] },
    sent: ['uuid-1', 'uuid-1', 'uuid-1', 'uuid-2'],
    after: [],
    kept: [],
  });
});

test('A refused message stays with its reason until it is sent again or discarded, and holds up no other.', async () => {
  const { acts, answers, kept, store } = make();
  answers.push({ ok: false, fault: tooLarge });
  acts.send('s', 'long');
  acts.send('s', 'short');
  await settle();
  const left = store.getState().unsent.map(({ text, fault }) => ({ text, fault }));
  acts.discard('uuid-1');
  expect({ left, after: store.getState().unsent, kept: kept.unsent() }).toEqual({
    left: [{ text: 'long', fault: tooLarge }],
    after: [],
    kept: [],
  });
});

test('What is kept survives the page, and what is not ours in the storage is passed over.', () => {
  const storage = memoryStorage();
  const before = createKept(storage);
  before.keepTyped('s', 'half a sent');
  before.keepUnsent({ uuid: 'u', session: 's', text: 'hello', at: 5, stored: false, fault: tooLarge });
  before.keepSelected('s');
  storage.setItem('kairos.unsent.broken', '{');
  storage.setItem('kairos.unsent.other', '{"uuid":1}');
  const later = createKept(storage);
  expect({
    typed: later.typed('s'),
    none: later.typed('t'),
    unsent: later.unsent(),
    selected: later.selected(),
  }).toEqual({
    typed: 'half a sent',
    none: '',
    unsent: [{ uuid: 'u', session: 's', text: 'hello', at: 5, stored: false, fault: null }],
    selected: 's',
  });
});
