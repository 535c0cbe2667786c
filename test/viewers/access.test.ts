import { expect, test } from 'vitest';
import type { NewDeviceAnswer, TicketAnswer } from '../../shared/protocol/bridge.ts';
import { systemClock } from '../../electron/node/clock.ts';
import { startBridge } from './support/bridge-under-test.ts';
import { askPerson, makeSession } from './support/history.ts';
import { openViewer } from './support/viewer-client.ts';

const codeOf = (json: unknown): unknown =>
  (json as { error?: { code: unknown } } | undefined)?.error?.code ?? null;

test('A rotated owner token fails at once over HTTP and WebSocket; the new one was announced; devices stay.', async () => {
  const announced: string[] = [];
  const bridge = await startBridge({ announceToken: async (token) => void announced.push(token) });
  const old = bridge.bridge.ownerToken;
  const { token: device } = await bridge.device(['read']);
  const [own, other] = [await bridge.viewer(), await bridge.viewer(device)];
  const unused = await bridge.ticket();
  const rotated = await bridge.ask({ method: 'POST', path: '/api/v1/token/rotate' });
  const late = await openViewer(bridge.port);
  late.send({ type: 'hello', ticket: unused, version: 1, client: 'test' });
  const statuses = [];
  for (const token of [old, announced[0] ?? '', device]) {
    statuses.push((await bridge.ask({ path: '/api/v1/home', token })).status);
  }
  other.send({ type: 'ping', n: 7 });
  expect([rotated.status, rotated.text.includes(announced[0] ?? '?'), statuses, announced]).toEqual([
    200,
    false,
    [401, 200, 200],
    [bridge.bridge.ownerToken],
  ]);
  expect([await own.closed, await late.closed, (await other.until('pong')).n]).toEqual([4001, 4001, 7]);
});

test('When the new owner token cannot be written the old one stays.', async () => {
  const bridge = await startBridge({ announceToken: () => Promise.reject(new Error('disk full')) });
  const before = bridge.bridge.ownerToken;
  const rotated = await bridge.ask({ method: 'POST', path: '/api/v1/token/rotate' });
  const after = await bridge.ask({ path: '/api/v1/home', token: before });
  expect([rotated.status, after.status, bridge.bridge.ownerToken === before]).toEqual([500, 200, true]);
});

test('Rotations asked for at the same moment come one after the other: the last announced token is good, no other one.', async () => {
  const announced: string[] = [];
  const bridge = await startBridge({
    announceToken: async (token) => {
      await new Promise((resolve) => setImmediate(resolve));
      announced.push(token);
    },
  });
  await Promise.all([1, 2, 3].map(() => bridge.bridge.rotateToken()));
  const statuses = [];
  for (const token of announced) statuses.push((await bridge.ask({ path: '/api/v1/home', token })).status);
  expect([statuses, announced.at(-1)]).toEqual([[401, 401, 200], bridge.bridge.ownerToken]);
});

test('A revoked device fails at once over HTTP, its WebSocket closes and its tickets are void.', async () => {
  const bridge = await startBridge();
  const { device, token } = await bridge.device(['read', 'send']);
  const viewer = await bridge.viewer(token);
  const unused = await bridge.ticket(token);
  const revoked = await bridge.ask({ method: 'DELETE', path: `/api/v1/devices/${device.id}` });
  const again = await bridge.ask({ method: 'DELETE', path: `/api/v1/devices/${device.id}` });
  const redeemed = await bridge.ask({
    method: 'POST',
    path: '/api/v1/tickets/redeem',
    body: { ticket: unused, name: 'x' },
    token: null,
  });
  const after = await bridge.ask({ path: '/api/v1/home', token });
  expect([revoked.status, again.status, redeemed.status, after.status, await viewer.closed]).toEqual([
    200, 404, 403, 401, 4001,
  ]);
  const listed = (await bridge.ask({ path: '/api/v1/devices' })).json as { revokedAt: number | null }[];
  expect([listed.length, typeof listed[0]?.revokedAt, 'tokenHash' in (listed[0] ?? {})]).toEqual([
    1,
    'number',
    false,
  ]);
});

test('A ticket works once, for 30 s, with the scopes of its asker or fewer.', async () => {
  let elapsed = 0;
  const bridge = await startBridge({
    clock: { ...systemClock, monotonic: () => systemClock.monotonic() + elapsed },
  });
  const { token } = await bridge.device(['read', 'send']);
  const issue = async (scopes?: string[]) => {
    const body = scopes === undefined ? {} : { scopes };
    return bridge.ask({ method: 'POST', path: '/api/v1/tickets', body, token });
  };
  const redeem = (ticket: string) =>
    bridge.ask({
      method: 'POST',
      path: '/api/v1/tickets/redeem',
      body: { ticket, name: 'window' },
      token: null,
    });
  const more = await issue(['approve']);
  const fewer = (await issue(['read'])).json as TicketAnswer;
  const same = (await issue()).json as TicketAnswer;
  const once = (await redeem(fewer.ticket)).json as NewDeviceAnswer;
  const twice = await redeem(fewer.ticket);
  elapsed = 30_001;
  const late = await redeem(same.ticket);
  const mayRead = await bridge.ask({ path: '/api/v1/home', token: once.token });
  const maySend = await bridge.ask({
    method: 'POST',
    path: '/api/v1/messages',
    body: { text: 'x', uuid: 'uuid-0001', session: 's' },
    token: once.token,
  });
  expect({
    short: [fewer.ticket, same.ticket].every((text) => /^[\w-]{22}$/.test(text)),
    more: codeOf(more.json),
    fewer: fewer.scopes,
    same: same.scopes,
    once: once.device.scopes,
    twice: twice.status,
    late: late.status,
    mayRead: mayRead.status,
    maySend: codeOf(maySend.json),
  }).toEqual({
    // 128 bits in an address that a person may have to copy.
    short: true,
    more: 'not_allowed',
    fewer: ['read'],
    same: ['read', 'send'],
    once: ['read'],
    twice: 403,
    late: 403,
    mayRead: 200,
    maySend: 'not_allowed',
  });
});

test('A ticket that opened a WebSocket opens nothing else, also when both try at once.', async () => {
  const bridge = await startBridge();
  const ticket = await bridge.ticket();
  const [one, other] = [await openViewer(bridge.port), await openViewer(bridge.port)];
  for (const viewer of [one, other]) viewer.send({ type: 'hello', ticket, version: 1, client: 'test' });
  await one.until('welcome');
  expect([await other.closed, other.frames.map(({ type }) => type)]).toEqual([4001, ['error']]);
  await one.close();
});

test('The ticket of an owner speaks for the owner, that of a device for the device.', async () => {
  const bridge = await startBridge();
  const { device, token } = await bridge.device(['read', 'approve']);
  const welcomes = [await bridge.viewer(), await bridge.viewer(token)].map(({ frames }) => frames[0]);
  expect(welcomes).toEqual([
    {
      type: 'welcome',
      version: 1,
      daemon: '1.2.3',
      scopes: ['read', 'send', 'approve', 'owner'],
      device: '',
    },
    { type: 'welcome', version: 1, daemon: '1.2.3', scopes: ['read', 'approve'], device: device.id },
  ]);
});

test('A viewer may send text to a session that exists, and nothing an owner decides.', async () => {
  const bridge = await startBridge();
  await makeSession(bridge.store, 'shop');
  const { device, token } = await bridge.device(['read', 'send', 'approve']);
  const tell = async (body: object) => {
    const sent = {
      method: 'POST',
      path: '/api/v1/messages',
      body: { text: 'hi', uuid: 'uuid-0001', ...body },
      token,
    };
    const { status, json } = await bridge.ask(sent);
    return [status, codeOf(json)];
  };
  expect([
    await tell({ session: 'shop', mode: 'bypassPermissions' }),
    await tell({ session: 'shop', model: 'x' }),
    await tell({ session: 'shop', dir: '/' }),
    await tell({ session: 'shop', queue: 'replace' }),
    await tell({}),
    await tell({ session: 'new' }),
    await tell({ session: 'shop', queue: 'after_turn' }),
  ]).toEqual([
    [403, 'not_allowed'],
    [403, 'not_allowed'],
    [403, 'not_allowed'],
    [403, 'not_allowed'],
    [403, 'not_allowed'],
    [404, 'not_found'],
    [201, null],
  ]);
  const [event] = await bridge.store.events((await bridge.store.session('shop'))?.id ?? '', { limit: 1 });
  expect(event?.origin).toEqual({
    principal: 'phone',
    trust: 'approver',
    surface: 'viewers',
    device: device.id,
  });
});

test('A viewer allows once; wider scopes need the owner, who is named in the answer.', async () => {
  const bridge = await startBridge();
  const { id } = await makeSession(bridge.store);
  const code = await askPerson(bridge.store, id);
  const { device, token } = await bridge.device(['approve']);
  const path = `/api/v1/prompts/${code}/verdict`;
  const allow = (scope: string) => ({
    method: 'POST',
    path,
    body: { verdict: { behavior: 'allow', scope } },
  });
  const wide = [
    await bridge.ask({ ...allow('session'), token }),
    await bridge.ask({ ...allow('always'), token }),
  ];
  const once = await bridge.ask({ ...allow('once'), token });
  const late = await bridge.ask(allow('always'));
  const outcomes = [once.json, late.json].map((json) => (json as { outcome: string }).outcome);
  expect([wide.map(({ json }) => codeOf(json)), outcomes]).toEqual([
    ['not_allowed', 'not_allowed'],
    ['accepted', 'already_answered'],
  ]);
  const by = { surface: 'viewers', principal: 'phone', device: device.id };
  expect(bridge.calls).toEqual([
    { verdict: code, behavior: 'allow', scope: 'once', by, owner: false },
    {
      verdict: code,
      behavior: 'allow',
      scope: 'always',
      by: { surface: 'viewers', principal: 'owner' },
      owner: true,
    },
  ]);
});
