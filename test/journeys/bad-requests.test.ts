import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { followTopics } from '../support/real/topic-client.ts';
import { settle } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
});
afterAll(async () => {
  // Whatever came before: the daemon still works.
  expect((await settle(kairos, 'help')).state).toBe('settled');
  await kairos.dispose();
});

/** Status of a request with headers that the ordinary client would not send. */
function status(headers: Readonly<Record<string, string>>, path = '/api/v1/sessions'): Promise<number> {
  const { port, token } = kairos.bridge.address();
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      headers: { authorization: `Bearer ${token}`, ...headers },
      agent: false,
    });
    outgoing.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('The local port refuses', () => {
  it('foreign, null and rebinding Origin and Host, and a token in the query', async () => {
    const { token, port } = kairos.bridge.address();
    expect({
      fine: await status({}),
      foreignOrigin: await status({ origin: 'https://evil.example' }),
      nullOrigin: await status({ origin: 'null' }),
      rebinding: await status({ host: `evil.example:${port}` }),
      otherPort: await status({ host: '127.0.0.1:1' }),
      query: await status({ authorization: '' }, `/api/v1/sessions?token=${token}`),
    }).toEqual({
      fine: 200,
      foreignOrigin: 403,
      nullOrigin: 403,
      rebinding: 421,
      otherPort: 421,
      query: 400,
    });
  });

  it('malformed bodies, unknown fields, wrong types, unknown routes and bodies that are too large', async () => {
    const call = (raw: string | Buffer, path = '/messages') =>
      kairos.bridge.call({ method: 'POST', path, raw }).then(
        (answer) => answer.status,
        () => 'cut off',
      );
    expect({
      noJson: await call('{"text":'),
      notAnObject: await call('[]'),
      wrongType: await call('{"text":1,"uuid":"12345678"}'),
      unknownField: await call('{"text":"x","uuid":"12345678","evil":true}'),
      unknownRoute: await call('{}', '/nowhere'),
      unknownSession: await kairos.bridge
        .call({ path: '/sessions/ses_nobody/events' })
        .then((answer) => answer.status),
      longMessage: await call(JSON.stringify({ text: 'x'.repeat(300_000), uuid: 'long-message-1' })),
      tenMegabytes: await call(Buffer.alloc(10 * 1024 * 1024, 0x20)),
    }).toEqual({
      noJson: 400,
      notAnObject: 400,
      wrongType: 400,
      unknownField: 400,
      unknownRoute: 404,
      unknownSession: 404,
      longMessage: 413,
      tenMegabytes: expect.toSatisfy((value) => value === 413 || value === 'cut off'),
    });
  });

  it('bytes that are no HTTP', async () => {
    const { port } = kairos.bridge.address();
    const socket = connect(port, '127.0.0.1');
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(text));
      socket.on('error', () => resolve(text));
      socket.write(Buffer.alloc(64 * 1024, 0xff));
    });
    expect(answer === '' || answer.startsWith('HTTP/1.1 4')).toBe(true);
  });
});

describe("A viewer's WebSocket", () => {
  async function endOf(
    act: (say: (data: string | Buffer) => void) => void,
    ticket?: string,
  ): Promise<number> {
    const viewer = await followTopics(kairos.bridge, ['home']);
    viewer.say({ type: 'ping', n: 1 });
    await viewer.next((frame) => frame.type === 'pong');
    await viewer.close();
    const url = `${kairos.bridge.address().url.replace(/^http/, 'ws').replace(/\/$/, '')}/api/v1/ws`;
    const socket = new WebSocket(url, { origin: new URL(url.replace(/^ws/, 'http')).origin });
    return new Promise((resolve, reject) => {
      socket.on('open', () => {
        if (ticket !== undefined)
          socket.send(JSON.stringify({ type: 'hello', ticket, version: 1, client: 'test' }));
        act((data) => socket.send(data));
      });
      socket.on('close', (code) => resolve(code));
      socket.on('error', reject);
    });
  }

  async function ticket(): Promise<string> {
    return (await kairos.bridge.get<{ ticket: string }>({ method: 'POST', path: '/tickets', body: {} }))
      .ticket;
  }

  it('ends on a wrong ticket, on frames before hello, on malformed frames and on one of 10 MB', async () => {
    const codes = {
      wrongTicket: await endOf(() => undefined, 'no-such-ticket'),
      beforeHello: await endOf((say) => say('{"type":"subscribe","topic":"home"}')),
      large: await endOf((say) => say(Buffer.alloc(10 * 1024 * 1024, 0x7b)), await ticket()),
    };
    expect(codes).toEqual({ wrongTicket: 4001, beforeHello: 1008, large: 1009 });
  });

  it('answers a malformed frame with an error or ends, and takes no ticket twice', async () => {
    const once = await ticket();
    const viewer = await followTopics(kairos.bridge, []);
    viewer.say('not an object');
    viewer.say({ type: 'no-such-type' });
    const outcome = await Promise.race([
      viewer.next((frame) => frame.type === 'error').then(() => 'told'),
      viewer.ended.then(() => 'ended'),
    ]);
    await viewer.close();
    const first = await endOf((say) => say(Buffer.alloc(10 * 1024 * 1024, 0x7b)), once);
    const second = await endOf(() => undefined, once);
    expect({ outcome: ['told', 'ended'].includes(outcome), tooLarge: first, refused: second }).toEqual({
      outcome: true,
      tooLarge: 1009,
      refused: 4001,
    });
  });
});

describe('Tokens', () => {
  it('a wrong or missing one is refused; a rotated one fails at once on HTTP and WebSocket, the new one works', async () => {
    const { token: old } = kairos.bridge.address();
    const viewer = await followTopics(kairos.bridge, ['home']);
    const wrong = await kairos.bridge.call({ path: '/sessions', token: 'a'.repeat(old.length) });
    const missing = await kairos.bridge.call({ path: '/sessions', token: null });
    await kairos.json(['token', 'rotate']);
    const { code } = await viewer.ended;
    const stale = await kairos.bridge.call({ path: '/sessions', token: old });
    const fresh = await kairos.bridge.call({ path: '/sessions' });
    expect([wrong.status, missing.status, stale.status, fresh.status, code >= 1000]).toEqual([
      401,
      401,
      401,
      200,
      true,
    ]);
  });

  it('a device has its own scopes and no more: it reads and sends, but may not interrupt, set modes or export rules to itself', async () => {
    const made = await kairos.bridge.get<{ token: string; device: { id: string } }>({
      method: 'POST',
      path: '/devices',
      body: { name: 'phone', scopes: ['read', 'send'] },
    });
    const as = (path: string, body?: unknown) =>
      kairos.bridge
        .call({ path, token: made.token, ...(body === undefined ? {} : { body }) })
        .then(({ status: code }) => code);
    const answers = {
      read: await as('/sessions'),
      interrupt: await as('/sessions/x/interrupt', {}),
      mode: await as('/sessions/x/mode', { mode: 'bypassPermissions' }),
      devices: await as('/devices', { name: 'more', scopes: ['owner'] }),
      verdict: await as('/prompts/abcde/verdict', { verdict: { behavior: 'allow', scope: 'once' } }),
    };
    await kairos.json(['devices', 'revoke', made.device.id]);
    expect({ ...answers, revoked: await as('/sessions') }).toEqual({
      read: 200,
      interrupt: 403,
      mode: 403,
      devices: 403,
      verdict: 403,
      revoked: 401,
    });
  });

  it('guessing is slowed down, also from this machine, and does not lock the owner out', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        kairos.bridge.call({ path: '/sessions', token: `guess-${index}` }),
      ),
    );
    const owner = await kairos.bridge.call({ path: '/sessions' });
    expect({
      statuses: [...new Set(answers.map(({ status: code }) => code))].sort(),
      owner: owner.status,
    }).toEqual({ statuses: [401, 429], owner: 200 });
  });
});
