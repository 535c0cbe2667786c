import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startBridge } from './support/bridge-under-test.ts';
import { send } from './support/http-client.ts';

const codeOf = (json: unknown): unknown =>
  (json as { error?: { code: unknown } } | undefined)?.error?.code ?? null;

test('Tokens: missing, wrong, only present, of another scheme, in the query, and right.', async () => {
  const { port, bridge } = await startBridge();
  const token = bridge.ownerToken;
  const table: [Record<string, string>, string][] = [
    [{}, '/api/v1/status'],
    [{ authorization: 'Bearer' }, '/api/v1/status'],
    [{ authorization: `Bearer ${'x'.repeat(64)}` }, '/api/v1/status'],
    [{ authorization: `Bearer ${token.slice(1)}` }, '/api/v1/status'],
    [{ authorization: `Basic ${token}` }, '/api/v1/status'],
    [{ cookie: `token=${token}` }, '/api/v1/status'],
    [{}, `/api/v1/status?token=${token}`],
    [{ authorization: `Bearer ${token}` }, `/api/v1/status?token=${token}`],
    [{ authorization: `Bearer ${token}` }, '/api/v1/status'],
  ];
  const outcome = [];
  for (const [headers, path] of table) {
    const { status, json } = await send(port, { path, headers });
    outcome.push([status, codeOf(json)]);
  }
  expect(outcome).toEqual([
    ...Array.from({ length: 6 }, () => [401, 'unauthorized']),
    [400, 'secret_in_query'],
    [400, 'secret_in_query'],
    [200, null],
  ]);
});

test('Who fails too often is slowed down; a valid token from the same address never is.', async () => {
  const { ask, port } = await startBridge();
  const statuses = new Map<number, number>();
  for (let count = 0; count < 30; count += 1) {
    const { status } = await send(port, {
      path: '/api/v1/home',
      headers: { authorization: `Bearer ${'w'.repeat(32)}` },
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([[...statuses], (await ask({ path: '/api/v1/home' })).status]).toEqual([
    [
      [401, 20],
      [429, 10],
    ],
    200,
  ]);
});

test('Foreign Hosts and Origins are refused over HTTP with the right token, and nothing allows another origin to read.', async () => {
  const { ask } = await startBridge();
  const outcome = [];
  for (const headers of [{ host: 'evil.example' }, { origin: 'null' }, { origin: 'https://evil.example' }]) {
    const {
      status,
      json,
      headers: got,
    } = await ask({ path: '/api/v1/home', headers: headers as Record<string, string> });
    outcome.push([
      status,
      codeOf(json),
      Object.keys(got).filter((name) => name.startsWith('access-control')),
    ]);
  }
  const preflight = await ask({
    method: 'OPTIONS',
    path: '/api/v1/home',
    headers: { 'access-control-request-method': 'GET' },
  });
  expect([
    ...outcome,
    [preflight.status, codeOf(preflight.json), preflight.headers['access-control-allow-origin']],
  ]).toEqual([
    [421, 'bad_host', []],
    [403, 'bad_origin', []],
    [403, 'bad_origin', []],
    [404, 'not_found', undefined],
  ]);
});

test('Every answer carries the security headers, refusals too.', async () => {
  const { ask } = await startBridge();
  const wanted = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy':
      "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  };
  for (const path of ['/', '/api/v1/health', '/api/v1/nowhere', '/nowhere']) {
    expect((await ask({ path })).headers).toMatchObject(wanted);
  }
  expect((await ask({ path: '/', headers: { host: 'evil.example' } })).headers).toMatchObject(wanted);
});

test.each<[string, string, unknown, number, string, string]>([
  [
    'unknown field',
    '/messages',
    { text: 'x', uuid: 'uuid-0001', color: 'red' },
    400,
    'bad_input',
    'unknown field "color"',
  ],
  [
    'wrong type',
    '/messages',
    { text: 5, uuid: 'uuid-0001' },
    400,
    'bad_input',
    '"text" has to be of type string',
  ],
  [
    'unknown mode',
    '/sessions',
    { mode: 'yolo' },
    400,
    'bad_input',
    '"mode" has to be "default" or "acceptEdits" or "plan" or "dontAsk" or "bypassPermissions"',
  ],
  ['an array', '/messages', [], 400, 'bad_input', 'the body has to be of type object'],
  ['no body', '/messages', undefined, 400, 'bad_input', 'needs a JSON body'],
  ['no JSON', '/messages', '{"text":', 400, 'bad_input', 'not valid JSON'],
  ['empty text', '/messages', { text: '  ', uuid: 'uuid-0001' }, 400, 'bad_input', 'empty'],
  ['bad uuid', '/messages', { text: 'x', uuid: '../../etc' }, 400, 'bad_input', 'uuid'],
  [
    '300 KB of text',
    '/messages',
    { text: 'x'.repeat(300_000), uuid: 'uuid-0001' },
    413,
    'too_large',
    'longer',
  ],
  ['2 MB', '/messages', { text: 'x'.repeat(2_000_000), uuid: 'uuid-0001' }, 413, 'too_large', 'larger'],
  ['unknown session', '/sessions/nobody/pause', undefined, 404, 'not_found', 'no such session'],
  [
    'unknown verdict',
    '/prompts/abcde/verdict',
    { verdict: { behavior: 'maybe' } },
    400,
    'bad_input',
    '"verdict',
  ],
  ['a rule that is none', '/rules', { effect: 'allow', rule: 'Bush' }, 400, 'bad_input', 'names no tool'],
  ['a device without scopes', '/devices', { name: 'x', scopes: [] }, 400, 'bad_input', 'at least one scope'],
  [
    'a device name with colour',
    '/devices',
    { name: 'a\u001b[31mb', scopes: ['read'] },
    400,
    'bad_input',
    '64',
  ],
  ['an invisible device name', '/devices', { name: 'a\u202eb', scopes: ['read'] }, 400, 'bad_input', '64'],
  ['a device name of two lines', '/devices', { name: 'a\nb', scopes: ['read'] }, 400, 'bad_input', '64'],
  ['a long device name', '/devices', { name: 'x'.repeat(65), scopes: ['read'] }, 400, 'bad_input', '64'],
  ['a redeemed name', '/tickets/redeem', { ticket: 't', name: 'a\u200bb' }, 400, 'bad_input', '64'],
  ['unknown route', '/nowhere', {}, 404, 'not_found', 'nothing at this address'],
])('Bad input is refused with what is wrong: %s.', async (_name, path, body, status, code, text) => {
  const { ask } = await startBridge();
  const answer = await ask({ method: 'POST', path: `/api/v1${path}`, body });
  expect([answer.status, codeOf(answer.json)]).toEqual([status, code]);
  expect(answer.text).toContain(JSON.stringify(text).slice(1, -1));
});

test.each([
  ['/sessions?archived=maybe', '"archived" has to be true or false.'],
  ['/sessions/any/events?before=1&after=1', '"before" and "after" cannot be given together.'],
])('A query that says nothing clear is refused: %s.', async (path, message) => {
  const { ask } = await startBridge();
  const answer = await ask({ path: `/api/v1${path}` });
  expect([answer.status, (answer.json as { error: { message: string } }).error.message]).toEqual([
    400,
    message,
  ]);
});

test('10 MB with a wrong token are refused without being read, and the bridge goes on.', async () => {
  const { ask } = await startBridge();
  const body = 'x'.repeat(10 * 1024 * 1024);
  const sent = { method: 'POST', path: '/api/v1/messages', body };
  const statuses: unknown[] = [];
  for (const token of ['w'.repeat(32), undefined]) {
    // The answer may come before all was sent; then the socket is closed under the sender.
    const answer = await ask(token === undefined ? sent : { ...sent, token }).catch(
      (error: { code: string }) => error,
    );
    statuses.push('status' in answer ? answer.status : answer.code);
  }
  expect(
    [
      ['401', 'ECONNRESET', 'EPIPE'],
      ['413', 'ECONNRESET', 'EPIPE'],
    ].map((known, index) => known.includes(String(statuses[index]))),
  ).toEqual([true, true]);
  expect((await ask({ path: '/api/v1/health' })).status).toBe(200);
});

test('Guessed tickets are slowed down like guessed tokens.', async () => {
  const { ask } = await startBridge();
  const redeem = () =>
    ask({ method: 'POST', path: '/api/v1/tickets/redeem', body: { ticket: 'x', name: 'n' }, token: null });
  const statuses = [];
  for (let count = 0; count < 21; count += 1) statuses.push((await redeem()).status);
  expect([new Set(statuses.slice(0, 20)), statuses[20]]).toEqual([new Set([403]), 429]);
});

test('A chunked body without a length is cut off at the limit too.', async () => {
  const { port, bridge } = await startBridge();
  const socket = connect(port, '127.0.0.1');
  const head = `POST /api/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\n`;
  socket.write(`${head}Authorization: Bearer ${bridge.ownerToken}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  socket.on('error', () => undefined);
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  for (let sent = 0; sent < 32; sent += 1) socket.write(chunk);
  expect((await answer).split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
  socket.destroy();
});

test('Bytes that are no HTTP get a bare 400.', async () => {
  const { port, ask } = await startBridge();
  const socket = connect(port, '127.0.0.1');
  socket.write('\x16\x03\x01 hello\r\n\r\n');
  const [data] = await once(socket, 'data');
  expect(String(data).split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
  expect((await ask({ path: '/api/v1/health' })).status).toBe(200);
});

test('A WebSocket upgrade is refused from other pages, names and paths, and with a ticket in the address.', async () => {
  const { port, ticket } = await startBridge();
  const own = `http://127.0.0.1:${port}`;
  const outcome = [];
  for (const [path, headers] of [
    ['/api/v1/ws', {}],
    ['/api/v1/ws', { origin: 'null' }],
    ['/api/v1/ws', { origin: 'https://evil.example' }],
    ['/api/v1/ws', { origin: own, host: 'evil.example' }],
    [`/api/v1/ws?ticket=${await ticket()}`, { origin: own }],
    ['/api/v1/other', { origin: own }],
  ] as [string, Record<string, string>][]) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on('error', () => undefined);
    const [, answer] = await once(socket, 'unexpected-response');
    outcome.push(answer.statusCode);
    answer.destroy();
  }
  expect(outcome).toEqual([403, 403, 403, 421, 400, 404]);
});

test('No token, ticket or address of a request is logged or repeated.', async () => {
  const bridge = await startBridge({
    commands: { search: () => Promise.reject(new Error('the index is broken')) },
  });
  const { ask, logged, port } = bridge;
  const canary = 'canary0123456789canary0123456789';
  const { token } = await bridge.device(['read']);
  const ticket = await bridge.ticket();
  const answers = [
    await ask({ path: '/api/v1/home', token: canary }),
    await ask({ path: `/api/v1/home?token=${canary}` }),
    await ask({ path: `/api/v1/${canary}` }),
    await ask({ path: `/api/v1/sessions/${canary}/export` }),
    await ask({ path: `/api/v1/search?q=${canary}` }),
    await ask({ path: '/api/v1/doctor', token }),
    await ask({ method: 'POST', path: '/api/v1/tickets/redeem', body: { ticket: canary, name: 'x' } }),
    await ask({ method: 'POST', path: '/api/v1/messages', body: { [canary]: 1 }, token }),
    await send(port, { path: `/?${canary}`, headers: { host: canary } }),
  ];
  const viewer = await bridge.viewer();
  viewer.send({ type: 'hello', ticket: canary, version: 1, client: canary });
  viewer.send(`{"type":"${canary}"}`);
  await viewer.until('error', ({ message }) => message.includes('not known'));
  const heard = JSON.stringify([answers.map(({ text, status }) => [status, text]), viewer.frames, logged]);
  expect(answers.map(({ status }) => status)).toEqual([401, 400, 404, 404, 500, 403, 403, 403, 421]);
  for (const secret of [canary, token, ticket, bridge.bridge.ownerToken]) expect(heard).not.toContain(secret);
  expect(logged).toEqual([
    JSON.stringify({ route: '/search', reason: 'the index is broken', message: 'a request failed' }),
  ]);
});
