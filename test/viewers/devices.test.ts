import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createMemoryDisk, createMemoryStore } from '../../electron/daemon/events/memory/memory-store.ts';
import { systemClock } from '../../electron/node/clock.ts';
import { createSystemIds } from '../../electron/node/ids.ts';
import type { DeviceView, NewDeviceAnswer, Scope } from '../../shared/protocol/bridge.ts';
import { startBridge } from './support/bridge-under-test.ts';
import { makeSession } from './support/history.ts';
import type { BridgeUnderTest } from './support/make-bridge.ts';

const dayMs = 24 * 3600 * 1000;

/** A window of whoever's token it is (the owner's by default). */
async function openWindow(bridge: BridgeUnderTest, token?: string): Promise<NewDeviceAnswer> {
  const body = { ticket: await bridge.ticket(token), name: 'window' };
  const answer = await bridge.ask({ method: 'POST', path: '/api/v1/tickets/redeem', body, token: null });
  return answer.json as NewDeviceAnswer;
}

async function mayRead(bridge: BridgeUnderTest, ...tokens: string[]): Promise<number[]> {
  const answers = tokens.map(async (token) => (await bridge.ask({ path: '/api/v1/home', token })).status);
  return Promise.all(answers);
}

const revoke = (bridge: BridgeUnderTest, id: string) =>
  bridge.ask({ method: 'DELETE', path: `/api/v1/devices/${id}` });

test('With a device all that its tickets and wishes made ends at once, over every generation; nothing else does.', async () => {
  const bridge = await startBridge();
  const phone = await bridge.device(['owner']);
  const window = await openWindow(bridge, phone.token);
  const deeper = await openWindow(bridge, window.token);
  const wish = { name: 'tablet', scopes: ['read'] as Scope[] };
  const sent = { method: 'POST', path: '/api/v1/devices', body: wish, token: deeper.token };
  const tablet = (await bridge.ask(sent)).json as NewDeviceAnswer;
  const mine = await openWindow(bridge);
  const viewers = [await bridge.viewer(deeper.token), await bridge.viewer(tablet.token)];
  const [unused, stays] = [await bridge.ticket(tablet.token), await bridge.viewer(mine.token)];
  await revoke(bridge, phone.device.id);
  const body = { ticket: unused, name: 'late' };
  const redeemed = await bridge.ask({ method: 'POST', path: '/api/v1/tickets/redeem', body, token: null });
  stays.send({ type: 'ping', n: 3 });
  const ended = [phone.token, window.token, deeper.token, tablet.token];
  expect({
    http: await mayRead(bridge, ...ended, mine.token),
    sockets: await Promise.all(viewers.map(({ closed }) => closed)),
    redeemed: redeemed.status,
    stays: (await stays.until('pong')).n,
  }).toEqual({ http: [401, 401, 401, 401, 200], sockets: [4001, 4001], redeemed: 403, stays: 3 });
});

test('What was made is ended also after a restart in between, and when the disk cannot note it.', async () => {
  const disk = createMemoryDisk();
  const ids = createSystemIds(systemClock);
  const open = () => createMemoryStore({ clock: systemClock, ids, disk });
  const before = await startBridge({ store: open() });
  const phone = await before.device(['owner']);
  const window = await openWindow(before, phone.token);
  await before.bridge.close();
  const bridge = await startBridge({ store: open() });
  const viewer = await bridge.viewer(window.token);
  disk.full = true;
  const failed = await revoke(bridge, phone.device.id);
  const meanwhile = await mayRead(bridge, phone.token, window.token);
  disk.full = false;
  const again = await revoke(bridge, phone.device.id);
  expect([failed.status, meanwhile, await viewer.closed, again.status]).toEqual([507, [401, 401], 4001, 200]);
});

test('A request whose body comes after its device was ended does nothing.', async () => {
  const bridge = await startBridge();
  await makeSession(bridge.store, 'shop');
  const { device, token } = await bridge.device(['read', 'send']);
  const body = JSON.stringify({ text: 'late', uuid: 'uuid-0001', session: 'shop' });
  const headers = {
    authorization: `Bearer ${token}`,
    origin: `http://127.0.0.1:${bridge.port}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const slow = request({
    host: '127.0.0.1',
    port: bridge.port,
    path: '/api/v1/messages',
    method: 'POST',
    headers,
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    slow.on('response', (response) => resolve(response.resume().statusCode));
    slow.on('error', reject);
  });
  slow.write(body.slice(0, 10));
  // Answered after it on a second connection: the head of the slow one was read before.
  await mayRead(bridge, token);
  await revoke(bridge, device.id);
  slow.end(body.slice(10));
  expect([await answered, await bridge.store.message('uuid-0001')]).toEqual([401, null]);
});

test('An export that is being sent to a device is cut off when it ends.', async () => {
  const endless = new PassThrough();
  const bridge = await startBridge({ commands: { exportSession: async () => endless } });
  await makeSession(bridge.store, 'shop');
  const { device, token } = await bridge.device(['read']);
  endless.write('{}\n');
  const asked = await fetch(`http://127.0.0.1:${bridge.port}/api/v1/sessions/shop/export`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const rest = asked.text().then(
    () => 'whole',
    () => 'cut off',
  );
  await revoke(bridge, device.id);
  expect([asked.status, await rest, endless.destroyed]).toEqual([200, 'cut off', true]);
});

test('Windows are bounded: beyond 20 the one unused for longest ends; after 30 days without use all do, a phone never.', async () => {
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const store = createMemoryStore({ clock, ids: createSystemIds(systemClock) });
  const bridge = await startBridge({ clock, store });
  const phone = await bridge.device(['read']);
  const windows = [];
  for (let count = 0; count < 20; count += 1) {
    ahead += 60_000;
    windows.push(await openWindow(bridge));
  }
  const [first, second, third] = windows.map(({ token }) => token) as [string, string, string];
  ahead += 2 * 3600 * 1000;
  // The first is looked at, the second has its page open: the third is unused for longest.
  await mayRead(bridge, first);
  const page = await bridge.viewer(second);
  ahead += 60_000;
  await openWindow(bridge);
  await openWindow(bridge);
  const afterMany = await mayRead(bridge, first, second, third);
  ahead += 31 * dayMs;
  const fresh = await openWindow(bridge);
  page.send({ type: 'ping', n: 1 });
  await page.until('pong');
  const left = (await bridge.ask({ path: '/api/v1/devices' })).json as DeviceView[];
  expect([afterMany, left.map(({ id }) => id)]).toEqual([
    [200, 200, 401],
    [phone.device.id, windows[1]?.device.id, fresh.device.id],
  ]);
});
