import { describe, expect, test } from 'vitest';
import {
  cut,
  endEarly,
  httpError,
  malformed,
  page,
  raw,
  start,
  streamError,
  text,
} from '../support/models/script.ts';
import { wireNames } from '../support/models/start.ts';
import { eventsOf, post } from './support/clients.ts';
import { readAll, serving } from './support/serving.ts';

for (const wire of wireNames) {
  describe(`on the ${wire} wire`, () => {
    test.each([400, 401, 403, 404, 413, 429, 500, 529])(
      'an HTTP error %i has the form of the real server',
      async (status) => {
        const server = await serving(wire, [httpError(status, { message: 'no' })]);
        const response = await post(server, { stream: true });
        const body = (await response.json()) as { error: unknown };
        expect([response.status, body.error, await server.requests[0]?.outcome]).toEqual([
          status,
          expect.objectContaining({ message: 'no', type: expect.any(String) }),
          'answered',
        ]);
      },
    );

    test('a 429 says when to come again in seconds, as a date or in milliseconds', async () => {
      const date = new Date('2026-11-30T12:00:00Z');
      const server = await serving(
        wire,
        [httpError(429, { retryAfter: 7 })],
        [httpError(429, { retryAfter: date })],
        [httpError(429, { retryAfterMs: 250 })],
      );
      const hints = [];
      for (let round = 0; round < 3; round += 1) {
        const { headers } = await post(server);
        hints.push([headers.get('retry-after'), headers.get('retry-after-ms')]);
      }
      expect(hints).toEqual([
        ['7', null],
        ['Mon, 30 Nov 2026 12:00:00 GMT', null],
        [null, '250'],
      ]);
    });

    test('the socket breaks after what came before the cut, and before everything when the cut is first', async () => {
      const server = await serving(wire, [text('Half of it'), cut()], [cut()]);
      const half = await readAll(await post(server, { stream: true }));
      expect([
        half.broken,
        half.text.includes('Half of it'),
        /content_block_stop|"stop"/.test(half.text),
      ]).toEqual([true, true, false]);
      await expect(post(server, { stream: true })).rejects.toThrow('fetch failed');
      expect(await Promise.all(server.requests.map(({ outcome }) => outcome))).toEqual(['cut', 'cut']);
    });

    test('a cut in the middle of a line and a clean end without closing events', async () => {
      const server = await serving(wire, [text('A'), raw('data: {"ty'), cut()], [text('A'), endEarly()]);
      const torn = await readAll(await post(server, { stream: true }));
      const early = await readAll(await post(server, { stream: true }));
      expect([
        torn.broken,
        torn.text.endsWith('data: {"ty'),
        early.broken,
        early.text.includes('[DONE]'),
      ]).toEqual([true, true, false, false]);
      expect(early.text).not.toContain('message_stop');
    });

    test('malformed data comes between good events, and an error event ends the stream', async () => {
      const server = await serving(
        wire,
        [text('A'), malformed('{"x'), text('B')],
        [text('A'), streamError('overloaded_error', 'Busy')],
      );
      const bad = (await readAll(await post(server, { stream: true }))).text.split('\n');
      expect(bad.filter((line) => line === 'data: {"x')).toHaveLength(1);
      const failed = eventsOf((await readAll(await post(server, { stream: true }))).text);
      expect(failed.at(-1)).toMatchObject({ error: { type: 'overloaded_error', message: 'Busy' } });
    });

    test('a page of a proxy and a wrong content type come as they are', async () => {
      const server = await serving(
        wire,
        [page()],
        [page('data: 1', { status: 200, contentType: 'text/plain' })],
      );
      const answers = [];
      for (let round = 0; round < 2; round += 1) {
        const response = await post(server, { stream: true });
        answers.push([
          response.status,
          response.headers.get('content-type'),
          (await response.text()).slice(0, 9),
        ]);
      }
      expect(answers).toEqual([
        [502, 'text/html', '<!doctype'],
        [200, 'text/plain', 'data: 1'],
      ]);
    });

    test('a request without a script, and a script that cannot be played, are complaints and no silence', async () => {
      const server = await serving(wire, [start(), httpError(500)]);
      await readAll(await post(server, { stream: true }).catch(() => new Response('')));
      expect((await post(server)).status).toBe(400);
      expect(server.complaints).toEqual([
        'request 1: 400 stand-in: the script has an HTTP error after the answer began',
        'request 2: 400 stand-in: no answer is left for request 2',
      ]);
    });

    test('requests are recorded with exact bytes and headers', async () => {
      const server = await serving(wire, []);
      const body = JSON.stringify({
        model: 'stand-in-small',
        messages: [{ role: 'user', content: 'Grüße 🙂' }],
        max_tokens: 5,
      });
      await post(server, body);
      const [seen] = server.requests;
      expect([seen?.rawBody.toString(), seen?.body, seen?.ask?.model, seen?.headers['content-type']]).toEqual(
        [body, JSON.parse(body), 'stand-in-small', 'application/json'],
      );
    });
  });
}
