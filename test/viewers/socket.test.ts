import { expect, test } from 'vitest';
import { systemClock } from '../../electron/node/clock.ts';
import { helloMs } from '../../electron/daemon/viewers/socket/connection.ts';
import { startBridge } from './support/bridge-under-test.ts';
import { makeSession, receive } from './support/history.ts';
import { openViewer } from './support/viewer-client.ts';

test.each<[string, unknown, string]>([
  ['not JSON', 'nonsense', 'The frame is not JSON.'],
  ['JSON of another form', { type: 'dance' }, 'type'],
  ['a field of another type', { type: 'subscribe', topic: 5 }, 'topic'],
  ['an empty frame', '', 'The frame is not JSON.'],
  ['a second hello', { type: 'hello', ticket: 'x', version: 1, client: '' }, 'said hello already'],
])('A bad frame is answered and survived: %s.', async (_name, frame, message) => {
  const { viewer } = await startBridge();
  const client = await viewer();
  client.send(frame);
  client.send({ type: 'ping', n: 1 });
  const error = await client.until('error');
  expect([error.code, error.message.includes(message), (await client.until('pong')).n]).toEqual([
    'bad_frame',
    true,
    1,
  ]);
});

test('Binary frames are refused, and ten bad frames end the connection.', async () => {
  const { viewer } = await startBridge();
  const client = await viewer();
  for (let count = 0; count < 10; count += 1) client.socket.send(Buffer.from([1, 2, 3]));
  expect([await client.closed, client.frames.filter(({ type }) => type === 'error').length]).toEqual([
    1008, 10,
  ]);
});

test('A frame of 10 MB closes its connection with 1009 and no other.', async () => {
  const { viewer } = await startBridge();
  const [large, other] = [await viewer(), await viewer()];
  large.send(JSON.stringify({ type: 'subscribe', topic: 'x'.repeat(10 * 1024 * 1024) }));
  const code = await large.closed;
  other.send({ type: 'ping', n: 2 });
  expect([code, (await other.until('pong')).n]).toEqual([1009, 2]);
});

test('A connection that says nothing for five seconds ends, and one that begins with anything but hello at once.', async () => {
  const timers: [number, () => void][] = [];
  const clock = {
    ...systemClock,
    after: (ms: number, fn: () => void) => {
      timers.push([ms, fn]);
      return () => undefined;
    },
  };
  const { port } = await startBridge({ clock });
  const [silent, rude] = [await openViewer(port), await openViewer(port)];
  rude.send({ type: 'subscribe', topic: 'home' });
  const rudeEnd = [await rude.closed, rude.frames.map(({ type }) => type)];
  timers.find(([ms]) => ms === helloMs)?.[1]();
  expect([await silent.closed, silent.frames, rudeEnd]).toEqual([1008, [], [1008, ['error']]]);
});

test('A program that is newer than the daemon is told to restart it.', async () => {
  const { port, ticket } = await startBridge();
  const client = await openViewer(port);
  client.send({ type: 'hello', ticket: await ticket(), version: 2, client: 'cli' });
  const { code, message } = await client.until('error');
  expect([code, message.includes('kairos daemon restart'), await client.closed]).toEqual([
    'daemon_older',
    true,
    4003,
  ]);
});

test('Unknown topics and sessions are errors of their topic; a device without read gets none.', async () => {
  const bridge = await startBridge();
  const { token } = await bridge.device(['send']);
  const client = await bridge.viewer();
  const ticket = (await bridge.ask({ method: 'POST', path: '/api/v1/tickets', token })).status;
  for (const topic of ['x'.repeat(250_000), 'weather', 'session:', 'session:ses_nobody'])
    client.send({ type: 'subscribe', topic });
  await client.until('error', ({ topic }) => topic === 'session:ses_nobody');
  const errors = client.frames.flatMap((frame) =>
    frame.type === 'error' ? [[frame.code, frame.topic]] : [],
  );
  expect([errors, ticket]).toEqual([
    [
      ['bad_input', undefined],
      ['not_found', 'weather'],
      ['not_found', 'session:'],
      ['not_found', 'session:ses_nobody'],
    ],
    403,
  ]);
});

test('Focus is passed on for those who may send.', async () => {
  const bridge = await startBridge();
  const { token } = await bridge.device(['read']);
  const [owner, reader] = [await bridge.viewer(), await bridge.viewer(token)];
  for (const client of [reader, owner]) {
    client.send({ type: 'focus', session: 'ses_1', typing: true });
    client.send({ type: 'ping', n: 1 });
    await client.until('pong');
  }
  expect(bridge.calls).toEqual([{ focus: 'ses_1', typing: true }]);
});

test('Of a flood of frames one is taken per turn of the event loop, so that others are served in between.', async () => {
  const { viewer } = await startBridge();
  const client = await viewer();
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  for (let n = 0; n < 1_000; n += 1) client.send({ type: 'ping', n });
  await client.until('pong', ({ n }) => n === 999);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(999);
});

test('After unsubscribing nothing of the topic comes any more.', async () => {
  const { viewer, store } = await startBridge();
  const { id } = await makeSession(store);
  const client = await viewer();
  client.send({ type: 'subscribe', topic: `session:${id}` });
  await client.until('snapshot');
  client.send({ type: 'unsubscribe', topic: `session:${id}` });
  client.send({ type: 'subscribe', topic: 'home' });
  await client.until('snapshot', ({ topic }) => topic === 'home');
  await receive(store, id, 'm-unseen');
  await client.until('change');
  expect(client.frames.map(({ type }) => type)).toEqual(['welcome', 'snapshot', 'snapshot', 'change']);
});

test('More than 64 topics on one connection are refused.', async () => {
  const { viewer, store } = await startBridge();
  const client = await viewer();
  for (let count = 0; count < 65; count += 1) {
    client.send({ type: 'subscribe', topic: `session:${(await makeSession(store)).id}` });
  }
  expect((await client.until('error')).code).toBe('bad_input');
});

test('The daemon says goodbye when it stops, also to a viewer that does not answer, and is gone soon.', async () => {
  const { bridge, viewer, port } = await startBridge({ keep: true });
  const [client, deaf] = [await viewer(), await viewer()];
  deaf.socket.pause();
  await bridge.close();
  expect(await client.closed).toBe(1001);
  deaf.socket.terminate();
  await expect(openViewer(port)).rejects.toThrow('ECONNREFUSED');
});
