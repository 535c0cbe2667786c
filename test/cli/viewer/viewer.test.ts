import { expect, test } from 'vitest';
import { Viewer } from '../../../electron/cli/viewer/follow/viewer.ts';
import type { AnyEvent } from '../../../shared/domain/events.ts';
import type { ServerFrame } from '../../../shared/protocol/bridge.ts';
import type { Asked, Fault } from '../../../shared/viewing/fault.ts';
import type { SocketEvents } from '../../../shared/viewing/socket.ts';
import { FakeClock } from '../../renderer/support/fake-clock.ts';
import { received, snapshot } from '../../renderer/support/samples.ts';

const down: Fault = { status: 0, code: 'unreached', message: 'Kairos is not running.', next: '' };

interface AskedFor {
  readonly path: string;
  readonly body?: unknown;
}

/** A viewer whose daemon is played by the test. */
class Rig {
  readonly clock = new FakeClock();
  readonly asked: AskedFor[] = [];
  readonly said: { type: string; from?: unknown; topic?: string }[] = [];
  answer: (asked: AskedFor) => Asked<unknown> = () => ({ ok: false, fault: down });
  #events: SocketEvents | null = null;
  #count = 0;
  readonly viewer = new Viewer({
    clock: this.clock,
    ids: { next: () => 'x', random: (bytes) => String((this.#count += 1)).padStart(bytes * 2, '0') },
    session: 's',
    bridge: {
      ticket: () => Promise.resolve({ ok: true, value: { ticket: 't' } }),
      ask: (request, schema) => {
        this.asked.push({
          path: request.path,
          ...(request.body === undefined ? {} : { body: request.body }),
        });
        const answer = this.answer({ path: request.path, body: request.body });
        return Promise.resolve(answer.ok ? { ok: true, value: schema.parse(answer.value) } : answer);
      },
    },
    open: (events) => {
      this.#events = events;
      return { send: (text) => void this.said.push(JSON.parse(text)), close: () => undefined };
    },
  });

  frame(frame: ServerFrame): void {
    this.#events?.text(JSON.stringify(frame));
  }

  lose(): void {
    this.#events?.closed(1006);
  }

  async connect(): Promise<void> {
    await settled();
    this.#events?.opened();
    this.frame({ type: 'welcome', version: 1, daemon: '1', scopes: ['read'], device: 'dev_me' });
    await settled();
  }

  open(events: readonly AnyEvent[], older = false): void {
    this.frame({
      type: 'snapshot',
      topic: 'session:s',
      place: { epoch: '', seq: events.at(-1)?.seq ?? 0 },
      view: snapshot(events, { older }),
    });
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const stored = (uuid: string): Asked<unknown> => ({
  ok: true,
  value: { session: 's', message: uuid, state: 'working', settledBy: null, replies: [], duplicate: false },
});

test('A message typed while the daemon is away is kept, and sent once with the same uuid when it is back.', async () => {
  const rig = new Rig();
  rig.viewer.start();
  await rig.connect();
  rig.open([received(1, 'first')]);
  rig.lose();
  rig.viewer.send('later');
  await settled();
  const kept = rig.viewer.state.unsent.map(({ text, stored: isStored }) => ({ text, isStored }));
  rig.answer = ({ body }) => stored((body as { uuid: string }).uuid);
  rig.clock.pass(300);
  await rig.connect();
  const sent = rig.asked
    .filter(({ path }) => path === '/messages')
    .map(({ body }) => (body as { uuid: string }).uuid);
  const uuid = rig.viewer.state.unsent[0]?.uuid ?? '';
  rig.frame({ type: 'event', topic: 'session:s', place: { epoch: '', seq: 2 }, event: received(2, uuid) });
  rig.frame({ type: 'event', topic: 'session:s', place: { epoch: '', seq: 2 }, event: received(2, uuid) });
  expect({
    kept,
    isSameUuid: new Set(sent).size === 1,
    unsent: rig.viewer.state.unsent,
    items: rig.viewer.state.pages.s?.items.length,
  }).toEqual({ kept: [{ text: 'later', isStored: false }], isSameUuid: true, unsent: [], items: 2 });
});

test('A message that is refused is told and does not hold up the next one.', async () => {
  const rig = new Rig();
  rig.viewer.start();
  await rig.connect();
  rig.open([received(1, 'first')]);
  rig.answer = ({ body }) =>
    (body as { text: string }).text === 'too long'
      ? {
          ok: false,
          fault: { status: 413, code: 'too_large', message: 'It is too long.', next: 'Shorten it.' },
        }
      : stored((body as { uuid: string }).uuid);
  rig.viewer.send('too long');
  rig.viewer.send('short');
  await settled();
  expect(
    rig.viewer.state.unsent.map(({ text, fault, stored: isStored }) => [text, fault?.code ?? null, isStored]),
  ).toEqual([
    ['too long', 'too_large', false],
    ['short', null, true],
  ]);
});

test('After a loss both topics are resumed from where they were.', async () => {
  const rig = new Rig();
  rig.viewer.start();
  await rig.connect();
  rig.open([received(1, 'first'), received(2, 'second')]);
  rig.lose();
  rig.clock.pass(300);
  rig.said.length = 0;
  await rig.connect();
  expect(rig.said.filter(({ type }) => type === 'subscribe')).toEqual([
    { type: 'subscribe', topic: 'home' },
    { type: 'subscribe', topic: 'session:s', from: { epoch: '', seq: 2 } },
  ]);
});

test('Older pages of 100 are asked for one at a time, and what is too large for a frame is fetched.', async () => {
  const rig = new Rig();
  rig.viewer.start();
  await rig.connect();
  rig.open([received(301, 'x')], true);
  rig.answer = ({ path }) => ({
    ok: true,
    value: {
      session: 's',
      events: path.includes('before=301') ? [received(300, 'old')] : [received(302, 'large')],
      more: true,
    },
  });
  rig.viewer.loadOlder();
  rig.viewer.loadOlder();
  await settled();
  rig.frame({ type: 'large_event', topic: 'session:s', place: { epoch: '', seq: 302 } });
  await settled();
  expect({
    asked: rig.asked.map(({ path }) => path),
    seqs: rig.viewer.state.pages.s?.events.map(({ seq }) => seq),
  }).toEqual({
    asked: ['/sessions/s/events?before=301&limit=100', '/sessions/s/events?before=303&limit=1'],
    seqs: [300, 301, 302],
  });
});

test('A session that is not there is told.', async () => {
  const rig = new Rig();
  rig.viewer.start();
  await rig.connect();
  rig.frame({ type: 'error', code: 'not_found', message: 'no', topic: 'session:s' });
  expect(rig.viewer.state.isGone).toBe(true);
});

test('Why the session cannot be followed now is told, until it can be again.', async () => {
  const rig = new Rig();
  rig.viewer.start();
  await rig.connect();
  rig.frame({ type: 'error', code: 'safe_mode', message: 'Kairos is in safe mode.', topic: 'session:s' });
  const told = rig.viewer.state.problem;
  rig.open([received(1, 'first')]);
  expect([told, rig.viewer.state.problem]).toEqual(['Kairos is in safe mode.', null]);
});
