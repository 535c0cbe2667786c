import { expect, test } from 'vitest';
import type { Fault } from '../../../shared/viewing/fault.ts';
import { isGone } from '../../../shared/viewing/link.ts';
import { FakeLive } from '../../renderer/support/fake-live.ts';

const hello = { type: 'hello', ticket: 'ticket-1', version: 1, client: 'window' };
const fault = (status: number): Fault => ({ status, code: 'x', message: 'x', next: 'x' });

async function connected(): Promise<FakeLive> {
  const fake = new FakeLive();
  fake.live.follow('home', undefined);
  fake.live.start();
  await fake.answered();
  fake.welcome();
  return fake;
}

test('A connection says hello with its ticket and subscribes to what is followed.', async () => {
  const fake = await connected();
  expect({ said: fake.heard(), links: fake.links }).toEqual({
    said: [hello, { type: 'subscribe', topic: 'home' }],
    links: [{ kind: 'connecting' }, { kind: 'live' }],
  });
});

test('After a loss it waits a moment, connects anew, and resumes every topic from its place.', async () => {
  const fake = await connected();
  fake.frame({
    type: 'change',
    topic: 'home',
    place: { epoch: 'e', seq: 7 },
    change: { type: 'paused', paused: true },
  });
  fake.live.follow('session:s', { epoch: '', seq: 3 });
  fake.heard();
  fake.drop();
  await fake.answered();
  const before = fake.opened;
  fake.clock.pass(250);
  await fake.answered();
  fake.welcome();
  expect({ before, opened: fake.opened, said: fake.heard(), links: fake.links.slice(2) }).toEqual({
    before: 1,
    opened: 2,
    said: [
      hello,
      { type: 'subscribe', topic: 'home', from: { epoch: 'e', seq: 7 } },
      { type: 'subscribe', topic: 'session:s', from: { epoch: '', seq: 3 } },
    ],
    links: [{ kind: 'lost', attempts: 1, nobody: false }, { kind: 'live' }],
  });
});

test('A snapshot of home in several frames is resumed only from the place of the last one.', async () => {
  const fake = await connected();
  fake.frame({ type: 'snapshot', topic: 'home', place: { epoch: '', seq: 0 }, view: {} });
  fake.heard();
  fake.drop();
  fake.clock.pass(250);
  await fake.answered();
  fake.welcome();
  expect(fake.heard()).toEqual([hello, { type: 'subscribe', topic: 'home' }]);
});

test('A resync of a topic asks for a snapshot, and only where the topic is still followed.', async () => {
  const fake = await connected();
  fake.live.follow('session:s', { epoch: '', seq: 3 });
  fake.heard();
  fake.frame({ type: 'resync', topic: 'session:s', reason: 'events are missing' });
  fake.live.leave('session:s');
  fake.frame({ type: 'resync', topic: 'session:s', reason: 'events are missing' });
  expect(fake.heard()).toEqual([
    { type: 'subscribe', topic: 'session:s' },
    { type: 'unsubscribe', topic: 'session:s' },
  ]);
});

test('While nobody answers it tries for ever, ever more slowly up to 5 s, and counts as gone after four attempts.', async () => {
  const fake = new FakeLive();
  fake.tickets = { ok: false, fault: fault(0) };
  fake.live.start();
  await fake.answered();
  for (const ms of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
    fake.clock.pass(ms - 1);
    const { length } = fake.links;
    fake.clock.pass(1);
    await fake.answered();
    expect(fake.links.length).toBe(length + 1);
  }
  expect(fake.links.map(isGone)).toEqual([false, false, false, false, true, true, true, true, true]);
});

test('A refusal ends it: nothing is tried again.', async () => {
  const fake = new FakeLive();
  fake.tickets = { ok: false, fault: fault(401) };
  fake.live.start();
  await fake.answered();
  fake.clock.pass(60_000);
  fake.live.nudge();
  await fake.answered();
  expect({ links: fake.links, opened: fake.opened }).toEqual({
    links: [{ kind: 'connecting' }, { kind: 'refused', fault: fault(401) }],
    opened: 0,
  });
});

test.each([
  ['the daemon is older', (fake: FakeLive) => fake.drop(4003)],
  ['the daemon is newer', (fake: FakeLive) => fake.welcome(2)],
])('Versions that differ end it with a word for it: %s.', async (_, part) => {
  const fake = new FakeLive();
  fake.live.start();
  await fake.answered();
  part(fake);
  expect(fake.links.at(-1)).toEqual({ kind: 'outdated' });
});

test('A nudge asks a live socket for a sign, and gives it up when none comes within 5 s.', async () => {
  const fake = await connected();
  fake.heard();
  fake.live.nudge();
  fake.frame({ type: 'pong', n: 1 });
  fake.clock.pass(6000);
  const alive = fake.links.at(-1);
  fake.live.nudge();
  fake.clock.pass(5000);
  expect({ alive, said: fake.heard().length, link: fake.links.at(-1), closed: fake.closed }).toEqual({
    alive: { kind: 'live' },
    said: 2,
    link: { kind: 'lost', attempts: 1, nobody: false },
    closed: 1,
  });
});

test('A nudge while it waits connects at once.', async () => {
  const fake = await connected();
  fake.drop();
  fake.live.nudge();
  await fake.answered();
  expect(fake.opened).toBe(2);
});

test('A socket that never says welcome is given up after 10 s, and what it says later is not heard.', async () => {
  const fake = new FakeLive();
  fake.live.start();
  await fake.answered();
  fake.clock.pass(10_000);
  fake.frame({ type: 'pong', n: 1 });
  fake.drop();
  expect({ links: fake.links.map(({ kind }) => kind), frames: fake.frames }).toEqual({
    links: ['connecting', 'lost'],
    frames: [],
  });
});

test('What is no frame of this version is passed over.', async () => {
  const fake = await connected();
  fake.raw('{"type":"hologram"}');
  fake.raw('not json');
  fake.frame({ type: 'pong', n: 2 });
  expect({ frames: fake.frames, link: fake.links.at(-1) }).toEqual({
    frames: [{ type: 'pong', n: 2 }],
    link: { kind: 'live' },
  });
});
