import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelsAnswer, UsageAnswer, UsageSumView } from '../../shared/protocol/bridge.ts';
import { type Harness, createHarness } from './support/cli-harness.ts';
import { type FakeBridge, startFakeBridge } from './support/fake-bridge.ts';
import { sampleSession } from './support/samples.ts';

let harness: Harness;
let bridge: FakeBridge;

beforeEach(async () => {
  harness = createHarness();
  bridge = await startFakeBridge();
  await harness.announce(bridge);
});
afterEach(async () => {
  await bridge.close();
  harness.dispose();
});

const models: ModelsAnswer = {
  default: { ref: 'openai/gpt-6-sol', from: 'key', problem: null },
  providers: [
    {
      name: 'openai',
      wire: 'openai',
      address: 'https://api.openai.com/v1',
      key: 'OPENAI_API_KEY',
      state: 'ready',
      detail: '2 models',
    },
    {
      name: 'anthropic',
      wire: 'anthropic',
      address: 'https://api.anthropic.com/v1',
      key: null,
      state: 'no_key',
      detail: 'no key',
    },
  ],
  models: [
    {
      ref: 'openai/gpt-6-sol',
      provider: 'openai',
      contextTokens: 272_000,
      images: true,
      price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
      isDefault: true,
      failover: null,
    },
    {
      ref: 'openai/\u001b[31mred',
      provider: 'openai',
      contextTokens: 1_000_000,
      images: false,
      price: null,
      isDefault: false,
      failover: 1,
    },
    {
      ref: 'offline',
      provider: null,
      contextTokens: 1_000_000,
      images: false,
      price: null,
      isDefault: false,
      failover: null,
    },
  ],
};

describe('kairos models', () => {
  test('says in words that nobody chose the offline engine', async () => {
    const chosen = { ref: 'offline', from: 'nothing else', problem: null };
    bridge.routes['GET /models'] = () => ({ body: { ...models, default: chosen } });
    expect((await harness.run(['models'])).out).toContain(
      'New sessions get offline (no key and no model server was found).\n',
    );
  });

  test('shows what new sessions get, where keys come from and prices; unknown ones are said to be unknown', async () => {
    bridge.routes['GET /models'] = () => ({ body: models });
    const { code, out } = await harness.run(['models']);
    const json = await harness.run(['models', 'list', '--json']);
    expect([
      code,
      out.split('\n').map((line) => line.replace(/ {2,}/g, ' | ')),
      JSON.parse(json.out),
    ]).toEqual([
      0,
      [
        'New sessions get openai/gpt-6-sol (decided by key).',
        '',
        'openai | ready | OPENAI_API_KEY | https://api.openai.com/v1 | 2 models',
        'anthropic | no key | - | https://api.anthropic.com/v1',
        '',
        'openai/gpt-6-sol | default | 272k context | $2 in, $10 out',
        'openai/<U+001B>[31mred | failover 1 | 1M context | price unknown',
        'offline | 1M context | free',
        '',
      ],
      models,
    ]);
  });

  test('shows thirty models of a provider that has hundreds, and those that were chosen', async () => {
    const [first, last] = [models.models[0], models.models[1]];
    if (!first || !last) throw new Error('no samples');
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...first,
      ref: `openai/m${index}`,
      isDefault: false,
    }));
    bridge.routes['GET /models'] = () => ({ body: { ...models, models: [...many, last] } });
    const lines = (await harness.run(['models'])).out.split('\n');
    expect([lines.filter((line) => line.startsWith('openai/m')).length, lines.at(-3), lines.at(-2)]).toEqual([
      30,
      expect.stringContaining('failover 1'),
      expect.stringMatching(/^10 more: .* models --json$/),
    ]);
  });

  test('test prints latency and answer, or ends with 1 and the precise reason', async () => {
    const answers = [
      { ref: 'a/b', ok: true, ms: 42, text: 'ready' },
      {
        ref: 'a/b',
        ok: false,
        code: 'key_refused',
        message: 'a refused the key (401).',
        next: 'Set a valid KEY.',
      },
    ];
    bridge.routes['POST /models/test'] = () => ({ body: answers.shift() });
    expect([
      await harness.run(['models', 'test', 'a/b']),
      await harness.run(['models', 'test', 'a/b']),
    ]).toEqual([
      { code: 0, out: 'a/b answered in 42 ms: "ready"\n', err: '' },
      { code: 1, out: '', err: expect.stringMatching(/^a refused the key \(401\)\.\n?.*Set a valid KEY\./s) },
    ]);
  });

  test('set changes the default, or one session; what goes before it is told', async () => {
    bridge.routes['POST /models/default'] = () => ({
      body: { ref: 'a/b', note: 'KAIROS_MODEL goes before it.' },
    });
    bridge.routes['POST /sessions/shop/model'] = () => ({ body: sampleSession({ model: 'a/b' }) });
    const all = await harness.run(['models', 'set', 'a/b']);
    const one = await harness.run(['models', 'set', 'a/b', '--session', 'shop']);
    expect([all, one.out, bridge.seen.filter(({ body }) => body !== undefined)]).toEqual([
      {
        code: 0,
        out: 'New sessions get a/b; those that exist keep theirs.\n',
        err: 'KAIROS_MODEL goes before it.\n',
      },
      'shop goes on with a/b.\n',
      [
        { route: 'POST /models/default', body: { model: 'a/b' } },
        { route: 'POST /sessions/shop/model', body: { model: 'a/b' } },
      ],
    ]);
  });
});

const sum: UsageSumView = {
  key: 'openai/gpt-6-sol',
  name: null,
  requests: 12,
  inputTokens: 1_000,
  outputTokens: 2_000,
  cacheReadTokens: 9_000,
  cacheWriteTokens: 0,
  microUsd: 1_234_000,
  reservedTokens: 500,
  reservedMicroUsd: 20_000,
  unpriced: 0,
};

function usage(change: Partial<UsageAnswer> = {}): UsageAnswer {
  return {
    by: 'model',
    sinceDay: '2026-11-30',
    today: '2026-11-30',
    session: null,
    groups: [sum],
    limits: { dayMicroUsd: 5e6, sessionDayTokens: 2_000_000, sessionMicroUsd: null, totalMicroUsd: 9e6 },
    spent: { dayMicroUsd: 1_254_000, totalMicroUsd: 2e6 },
    ...change,
  };
}

describe('kairos usage', () => {
  test('one request is one request', async () => {
    bridge.routes['GET /usage'] = () => ({ body: usage({ groups: [{ ...sum, requests: 1 }] }) });
    expect((await harness.run(['usage'])).out).toContain('  1 request  ');
  });

  test('shows tokens, the share of the cache, money, what is reserved, and the limits', async () => {
    const queries: string[] = [];
    bridge.routes['GET /usage'] = ({ query }) => {
      queries.push(query.toString());
      return { body: usage() };
    };
    const { code, out } = await harness.run(['usage']);
    await harness.run(['usage', '--days', '7', '--session', 'shop']);
    await harness.run(['usage', '--days', '7', '--by', 'cause']);
    expect([code, out.split('\n').map((line) => line.replace(/ {2,}/g, ' | ')), queries]).toEqual([
      0,
      [
        'openai/gpt-6-sol | 12 requests | 10,000 in | 2,000 out | 90% cached | $1.23 | + $0.0200 reserved',
        'Today: $1.25 of $5.00 (reserved money counts).',
        'Ever: $2.00 of $9.00.',
        'Each session may take 2,000,000 tokens a day.',
        expect.stringMatching(/^Raise today's limit with: .*usage raise DOLLARS$/),
        '',
      ],
      ['days=1&by=model', 'days=7&by=day&session=shop', 'days=7&by=cause'],
    ]);
  });

  test('what has no known price is not shown as free, and counted', async () => {
    const groups = [
      { ...sum, microUsd: 0, unpriced: 11 },
      { ...sum, unpriced: 1 },
    ];
    bridge.routes['GET /usage'] = () => ({ body: usage({ groups }) });
    const lines = (await harness.run(['usage'])).out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));
    const json = JSON.parse((await harness.run(['usage', '--json'])).out);
    expect([lines.slice(0, 2), lines.at(-2), json.unpriced]).toEqual([
      [
        'openai/gpt-6-sol | 12 requests | 10,000 in | 2,000 out | 90% cached | unknown | + $0.0200 reserved',
        expect.stringContaining('| $1.23 + unknown |'),
      ],
      '12 requests had no known price and do not count against money limits: set models.prices in settings.json.',
      12,
    ]);
  });

  test('--json gives scripts dollars; nothing used is said', async () => {
    bridge.routes['GET /usage'] = () => ({ body: usage() });
    const json = JSON.parse((await harness.run(['usage', '--json'])).out);
    bridge.routes['GET /usage'] = () => ({ body: usage({ groups: [] }) });
    const none = await harness.run(['usage']);
    const { microUsd: _money, reservedMicroUsd: _reserved, ...counts } = sum;
    expect([json.groups, json.limits, json.spent, json.unpriced, none.out.split('\n')[0]]).toEqual([
      [{ ...counts, usd: 1.234, reservedUsd: 0.02 }],
      { dayUsd: 5, sessionDayTokens: 2_000_000, sessionUsd: null, totalUsd: 9 },
      { dayUsd: 1.254, totalUsd: 2 },
      0,
      'No model was asked today.',
    ]);
  });

  test.each([
    [['5'], { limit: 'day', by: 5 }, "Today's limit is now $10.00. 2 sessions go on.\n"],
    [
      ['$2.50', '--session', 'shop'],
      { limit: 'session', by: 2.5, session: 'shop' },
      "The session's limit is now $10.00. 2 sessions go on.\n",
    ],
    [
      ['5', '--total'],
      { limit: 'total', by: 5 },
      'The limit over all time is now $10.00. 2 sessions go on.\n',
    ],
    [
      ['500', '--tokens', '--session', 'shop'],
      { limit: 'tokens', by: 500, session: 'shop' },
      "The session's tokens of today are now 10,000,000. 2 sessions go on.\n",
    ],
  ])('raise %j', async (args, body, out) => {
    bridge.routes['POST /usage/raise'] = () => ({ body: { most: 10_000_000, unparked: ['a', 'b'] } });
    expect([await harness.run(['usage', 'raise', ...args]), bridge.seen.at(-1)]).toEqual([
      { code: 0, out, err: '' },
      { route: 'POST /usage/raise', body: { ...body, uuid: expect.any(String) } },
    ]);
  });

  test.each([
    [['usage', 'raise'], /needs AMOUNT/],
    [['usage', 'raise', 'much'], /number above 0/],
    [['usage', 'raise', '0'], /number above 0/],
    [['usage', 'raise', '5', '--tokens'], /--tokens needs --session/],
    [['usage', 'raise', '5', '--total', '--session', 'x'], /--total goes with no other/],
    [['usage', 'raise', '1.5', '--tokens', '--session', 'x'], /number above 0/],
    [['usage', '--days', '1.5'], /whole number/],
    [['usage', '--by', 'moon'], /cannot be "moon"/],
  ])('%j is a mistake that is told, and nothing is asked', async (args, message) => {
    const { code, err } = await harness.run(args);
    expect([code, bridge.seen]).toEqual([2, []]);
    expect(err).toMatch(message);
  });
});

test('an empty KAIROS_MODEL names no model', async () => {
  harness.env.KAIROS_MODEL = ' ';
  bridge.routes['POST /sessions'] = () => ({ status: 201, body: sampleSession() });
  await harness.run(['sessions', 'new', '--name', 'payments']);
  expect(bridge.seen.at(-1)?.body).toEqual(expect.not.objectContaining({ model: expect.anything() }));
});
