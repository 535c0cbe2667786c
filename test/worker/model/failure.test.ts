import { describe, expect, test } from 'vitest';
import { decideNext, type Tries } from '../../../electron/worker/model/failure/decide-next.ts';
import { failureError } from '../../../electron/worker/model/failure/failure-text.ts';
import { type ModelFailure, remedyFor } from '../../../electron/worker/model/failure/model-failure.ts';
import { readFailure } from '../../../electron/worker/model/failure/read-failure.ts';
import { retryAfterMs } from '../../../electron/worker/model/failure/retry-after.ts';
import { retryLimits } from '../../../electron/worker/model/limits.ts';

const http = (status: number, message = '', more: Partial<ModelFailure> = {}): ModelFailure =>
  ({ kind: 'http', status, type: '', message, retryAfterMs: null, ...more }) as ModelFailure;
const connection: ModelFailure = { kind: 'connection', message: 'ECONNREFUSED', certain: false };
const first: Tries = { made: 1, waitedMs: 0, refreshed: false, streamed: false, hasNext: false };

describe('when to come again', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': ' 0.5 ' }, 500],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-3' }, null],
    [{}, null],
  ])('%j is read as %s ms', (headers, ms) => {
    expect(retryAfterMs(headers, now)).toBe(ms);
  });
});

describe('what can be done about a failure', () => {
  test.each<[string, ModelFailure, string]>([
    ['429', http(429), 'again'],
    [
      '429 of an empty account',
      http(429, 'You exceeded your current quota', { type: 'insufficient_quota' }),
      'none',
    ],
    ['408', http(408), 'again'],
    ['409', http(409), 'again'],
    ['500', http(500), 'again'],
    ['501', http(501), 'none'],
    ['529', http(529, 'Overloaded'), 'again'],
    ['401', http(401), 'credential'],
    ['403', http(403), 'credential'],
    ['404', http(404), 'none'],
    ['413', http(413), 'shorten'],
    ['400', http(400, 'temperature: too hot'), 'none'],
    ['Anthropic says it is too long', http(400, 'prompt is too long: 3 tokens > 2 maximum'), 'shorten'],
    ['OpenAI says it is too long', http(400, 'x', { type: 'context_length_exceeded' }), 'shorten'],
    ['llama.cpp says it is too long', http(400, 'the request exceeds the available context size'), 'shorten'],
    ['overloaded in the stream', { kind: 'stream_error', type: 'overloaded_error', message: '' }, 'again'],
    [
      'bad request in the stream',
      { kind: 'stream_error', type: 'invalid_request_error', message: '' },
      'none',
    ],
    ['an unknown word in the stream', { kind: 'stream_error', type: '', message: 'oops' }, 'again'],
    ['no connection', connection, 'again'],
    ['a bad certificate', { ...connection, certain: true }, 'none'],
    ['a cut', { kind: 'cut' }, 'again'],
    ['a malformed chunk', { kind: 'malformed' }, 'again'],
    ["a proxy's 502 page", { kind: 'page', status: 502, contentType: 'text/html' }, 'again'],
    ['a login page', { kind: 'page', status: 200, contentType: 'text/html' }, 'none'],
    ['silence', { kind: 'time_out', limit: 'silence', ms: 1 }, 'again'],
    ['an answer without end', { kind: 'time_out', limit: 'whole', ms: 1 }, 'none'],
    ['a fault of ours', { kind: 'unexpected', message: '' }, 'none'],
  ])('%s', (_name, failure, remedy) => {
    expect(remedyFor(failure)).toBe(remedy);
  });
});

describe('what follows a failure', () => {
  const decide = (failure: ModelFailure, more: Partial<Tries> = {}, chance = 0.5) =>
    decideNext(failure, { ...first, ...more }, retryLimits, chance);

  test('waits grow twofold to a limit, and chance spreads each over half of it', () => {
    const waits = [1, 2, 3, 7].map((made) => [0, 1].map((chance) => decide(connection, { made }, chance)));
    expect(waits.flat()).toEqual(
      [500, 1_000, 1_000, 2_000, 2_000, 4_000, 30_000, 60_000].map((ms) => ({ kind: 'wait', ms })),
    );
  });

  test('what the server asks for is kept and never undercut, but not for longer than the limit', () => {
    const asked = (ms: number) => http(429, '', { retryAfterMs: ms } as Partial<ModelFailure>);
    expect([
      decide(asked(7_000), {}, 0),
      decide(asked(7_000), {}, 1),
      decide(asked(400_000)),
      decide(asked(30_000), { hasNext: true }),
    ]).toEqual([
      { kind: 'wait', ms: 7_000 },
      { kind: 'wait', ms: 7_800 },
      { kind: 'give_up' },
      { kind: 'next_model' },
    ]);
  });

  test('tries end: sooner when answers were half paid for, and when all waits together are too long', () => {
    expect([
      decide(connection, { made: 7 }).kind,
      decide(connection, { made: 8 }).kind,
      decide({ kind: 'cut' }, { made: 3, streamed: true }).kind,
      decide({ kind: 'cut' }, { made: 4, streamed: true }).kind,
      decide(connection, { made: 2, waitedMs: 299_000 }).kind,
      decide(connection, { made: 2, hasNext: true, waitedMs: 19_500 }).kind,
    ]).toEqual(['wait', 'give_up', 'wait', 'give_up', 'give_up', 'next_model']);
  });

  test('a refused credential is refreshed once; a conversation that is too long is never given to another model', () => {
    expect([
      decide(http(401)),
      decide(http(401), { refreshed: true }),
      decide(http(401), { refreshed: true, hasNext: true }),
      decide(http(400, 'prompt is too long'), { hasNext: true }),
      decide(http(404), { hasNext: true }),
    ]).toEqual([
      { kind: 'refresh' },
      { kind: 'give_up' },
      { kind: 'next_model' },
      { kind: 'give_up' },
      { kind: 'next_model' },
    ]);
  });
});

describe('the failure for people', () => {
  test('says what happened and what to do, in one sentence each', () => {
    const limited = http(429, 'Slow down', { retryAfterMs: 400_000 } as Partial<ModelFailure>);
    const error = failureError(http(529, 'Overloaded.\n'), 'anthropic/large');
    expect([failureError(limited, 'x/y').message, error.code, error.message]).toEqual([
      'x/y answered 429: Slow down. It asks to be left alone for 400 s. Take the session up again later (kairos retry), or give it another model (kairos models set).',
      'model_failed',
      'anthropic/large answered 529: Overloaded. Take the session up again later (kairos retry), or give it another model (kairos models set).',
    ]);
  });

  test('never holds the key, wherever the server put it', () => {
    const secret = 'sk-canary-123';
    const told = {
      statusCode: 401,
      message: `no: ${secret}`,
      data: { error: { type: 'auth', message: `bad key ${secret}` } },
      requestBodyValues: { messages: [secret] },
    };
    const read = readFailure(told, { answered: false, secret, now: 0 });
    expect([read, JSON.stringify(failureError(read, 'x/y'))]).toEqual([
      { kind: 'http', status: 401, type: 'auth', message: 'bad key [key]', retryAfterMs: null },
      expect.not.stringContaining(secret),
    ]);
  });
});
