import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { createBridgeHttp } from '../../../renderer/connection/bridge-http.ts';
import { ticketInHash } from '../../../renderer/connection/window-ticket.ts';

const schema = z.object({ done: z.boolean() });

/** A `fetch` that answers as told and notes what it was asked. */
function answering(respond: () => Promise<Response>) {
  const asked: { url: unknown; init: RequestInit | undefined }[] = [];
  const fetcher: typeof fetch = (url, init) => {
    asked.push({ url, init });
    return respond();
  };
  return { asked, http: createBridgeHttp(fetcher) };
}

test('A request carries the token once the window is signed in, as a header and nowhere else.', async () => {
  const { asked, http } = answering(async () => Response.json({ done: true }));
  await http.ask({ path: '/tickets/redeem', body: { ticket: 't' } }, schema);
  http.signIn('token-1');
  const answer = await http.ask({ path: '/home' }, schema);
  expect({
    answer,
    asked: asked.map(({ url, init }) => ({
      url,
      method: init?.method,
      headers: init?.headers,
      credentials: init?.credentials,
    })),
  }).toEqual({
    answer: { ok: true, value: { done: true } },
    asked: [
      {
        url: '/api/v1/tickets/redeem',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        credentials: 'omit',
      },
      {
        url: '/api/v1/home',
        method: 'GET',
        headers: { authorization: 'Bearer token-1' },
        credentials: 'omit',
      },
    ],
  });
});

const refusal = { code: 'name_taken', message: 'That name is taken.', next: 'Choose another.' };
test.each([
  [
    'a refusal with its words',
    async () => Response.json({ error: refusal }, { status: 409 }),
    { status: 409, ...refusal },
  ],
  [
    'a refusal without words',
    async () => new Response('<html>', { status: 502 }),
    { status: 502, code: 'http', message: 'The daemon answered 502.', next: '' },
  ],
  [
    'an answer of another form',
    async () => Response.json({ done: 1 }),
    expect.objectContaining({ status: 500, code: 'unreadable' }),
  ],
  [
    'nobody',
    async () => Promise.reject(new TypeError('Failed to fetch')),
    expect.objectContaining({ status: 0, code: 'unreached' }),
  ],
])('A request that is met by %s is a fault, never an exception.', async (_, respond, fault) => {
  const { http } = answering(respond as () => Promise<Response>);
  expect(await http.ask({ path: '/home' }, schema)).toEqual({ ok: false, fault });
});

test.each([
  ['#ticket=abc', 'abc'],
  ['#a=1&ticket=x%2Fy', 'x/y'],
  ['#ticket=', null],
  ['#tickets=abc', null],
  ['', null],
])('The ticket in the fragment %s is %s.', (hash, ticket) => {
  expect(ticketInHash(hash)).toBe(ticket);
});
