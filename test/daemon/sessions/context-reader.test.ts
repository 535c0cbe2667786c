import { expect, it } from 'vitest';
import type { Store } from '../../../electron/daemon/events/port.ts';
import { readContext } from '../../../electron/daemon/sessions/context-reader.ts';
import type { StoredEvent } from '../../../shared/domain/events.ts';
import { withheldText } from '../../../shared/session/context.ts';

function eventsStore(events: readonly StoredEvent[]): { store: Store; reads: () => number } {
  let reads = 0;
  const store = {
    events: (_session: string, { after = 0, limit }: { after?: number; limit: number }) => {
      reads += 1;
      return Promise.resolve(events.filter((event) => event.seq > after).slice(0, limit));
    },
  };
  return { store: store as unknown as Store, reads: () => reads };
}

const at = { id: 1, session: 'ses_1', at: 1, v: 1 };
const arrival = (seq: number): StoredEvent => ({
  ...at,
  seq,
  type: 'message.received',
  body: {
    message: `msg_${seq}`,
    wake: `wak_${seq}`,
    ref: `m${seq}`,
    kind: 'person',
    mode: 'next_step',
    text: `text ${seq}`,
    route: { surface: 'viewers' },
  },
});
const step = (seq: number, delivered: { ref: string; seq: number }[]): StoredEvent => ({
  ...at,
  seq,
  type: 'step.began',
  body: {
    step: 'stp_1',
    turn: 'trn_1',
    n: 1,
    frame: '',
    wakes: [],
    delivered,
    reservation: { tokens: 0, microUsd: 0 },
    policy: 'p',
  },
});

it('skips a burst of arrivals that no step has taken, in one call', async () => {
  const burst = Array.from({ length: 1200 }, (_, index) => arrival(index + 1));
  const { store } = eventsStore([...burst, step(1201, [{ ref: 'm3', seq: 3 }])]);
  expect(await readContext(store, 'ses_1', 0)).toEqual({
    messages: [{ role: 'user', seq: 1201, text: 'text 3', ref: 'm3', turn: 'trn_1' }],
    more: false,
  });
});

it('says that there is more, and cuts only between steps', async () => {
  const events = Array.from({ length: 40 }, (_, index) => arrival(index + 1));
  const taken = [1, 2].map((seq) => ({ ref: `m${seq}`, seq }));
  const { store } = eventsStore([...events, step(41, taken), step(42, [{ ref: 'm9', seq: 9 }])]);
  const page = await readContext(store, 'ses_1', 40, 1);
  expect({ refs: page.messages.map((message) => message.seq), more: page.more }).toEqual({
    refs: [41, 41],
    more: true,
  });
});

it('gives a message whole that no frame could hold, alone on its page', async () => {
  const poison = arrival(1);
  const text = '\u0001'.repeat(131_072);
  const events = [
    { ...poison, body: { ...poison.body, text } } as StoredEvent,
    step(2, [{ ref: 'm1', seq: 1 }]),
    arrival(3),
    step(4, [{ ref: 'm3', seq: 3 }]),
  ];
  expect(await readContext(eventsStore(events).store, 'ses_1', 1)).toEqual({
    messages: [{ role: 'user', seq: 2, text, ref: 'm1', turn: 'trn_1' }],
    more: true,
  });
});

it('a message that a hook blocked is withheld, also where the next page says so', async () => {
  const blocked = (seq: number): StoredEvent => ({
    ...at,
    seq,
    type: 'hook.ran',
    body: { hook: 'h', event: 'UserPromptSubmit', outcome: 'blocked', text: 'no', withheld: 'm1' },
  });
  const taken = step(500, [
    { ref: 'm1', seq: 1 },
    { ref: 'm2', seq: 2 },
  ]);
  const page = Array.from({ length: 499 }, (_, index) => arrival(index + 1));
  const { store } = eventsStore([...page, taken, arrival(501), blocked(502)]);
  const { messages } = await readContext(store, 'ses_1', 0);
  expect(messages.map((message) => message.role === 'user' && [message.ref, message.text])).toEqual([
    ['m1', withheldText],
    ['m2', 'text 2'],
  ]);
});
