import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { Models, type ModelsPorts } from '../../../electron/daemon/models/models.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { modelSettingsSchema } from '../../../shared/domain/model-settings.ts';
import { createMind } from '../../support/models/mind.ts';
import type { ModelServer } from '../../support/models/server.ts';
import { type ModelServerOptions, startModelServer, wireNames } from '../../support/models/start.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(wire: 'anthropic' | 'openai', options: ModelServerOptions = {}): Promise<ModelServer> {
  const mind = createMind();
  mind.otherwise().says('ready');
  const server = await startModelServer(wire, { answer: mind.answer, ...options });
  servers.push(server);
  return server;
}

/** A port on which nothing listens. */
async function closedPort(): Promise<string> {
  const server = await startModelServer('openai');
  await server.close();
  return server.url;
}

/** Local servers that are not the test's own are not asked. */
async function quiet(): Promise<Record<string, { baseUrl: string }>> {
  const baseUrl = await closedPort();
  return Object.fromEntries(['ollama', 'lmstudio', 'llamacpp', 'vllm'].map((name) => [name, { baseUrl }]));
}

function models(given: object, env: Record<string, string> = {}, ports: Partial<ModelsPorts> = {}): Models {
  return new Models({
    settings: modelSettingsSchema.parse(given),
    env,
    clock: systemClock,
    runKeyCommand: () => Promise.resolve({ kind: 'none', why: 'the key command printed nothing' }),
    storeDefault: () => Promise.resolve(),
    ...ports,
  });
}

describe('the model of a session that names none', () => {
  it('is KAIROS_MODEL, else the one of the settings, and nobody is asked', async () => {
    const server = await serve('openai');
    const env = { OPENAI_API_KEY: 'stand-in-key', OPENAI_BASE_URL: server.url };
    const configured = models({ default: 'ollama/x' }, env);
    expect([
      await models({ default: 'ollama/x' }, { ...env, KAIROS_MODEL: 'offline' }).defaultModel(),
      await configured.defaultModel(),
      server.probes.length,
    ]).toEqual([{ ref: 'offline', from: 'KAIROS_MODEL' }, { ref: 'ollama/x', from: 'settings' }, 0]);
  });

  it.each([
    [
      'the newest of the preferred family',
      'anthropic',
      ['claude-opus-5-5', 'claude-sonnet-4-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
      'claude-sonnet-5-5',
    ],
    ['the first where none is known', 'openai', ['text-embedding-3', 'llama', 'qwen'], 'llama'],
    [
      'without a date before one with',
      'anthropic',
      ['claude-sonnet-5-5-20261001', 'claude-sonnet-5-5'],
      'claude-sonnet-5-5',
    ],
  ] as const)('is, with a key, one that its server has: %s', async (_title, wire, list, expected) => {
    const server = await serve(wire, { models: list });
    const name = wire.toUpperCase();
    const own = models({}, { [`${name}_API_KEY`]: 'stand-in-key', [`${name}_BASE_URL`]: server.url });
    expect([await own.defaultModel(), await own.defaultRef()]).toEqual([
      { ref: `${wire}/${expected}`, from: 'key' },
      `${wire}/${expected}`,
    ]);
    expect(server.probes.length).toBe(1);
  });

  it('is the documented one when the server of the key does not answer', async () => {
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: await closedPort() };
    expect(await models({}, env).defaultModel()).toEqual({ ref: 'anthropic/claude-sonnet-5-5', from: 'key' });
  });

  it('is the first of a local server that answers, else the offline engine until one does', async () => {
    const none = await quiet();
    const server = await serve('openai', { apiKey: null, models: ['nomic-embed-text', 'qwen3:8b'] });
    const local = { ...none, lmstudio: { baseUrl: server.url } };
    expect([
      await models({ providers: local }).defaultModel(),
      await models({ providers: none }).defaultModel(),
    ]).toEqual([
      { ref: 'lmstudio/qwen3:8b', from: 'local server' },
      { ref: 'offline', from: 'nothing else' },
    ]);
  });

  it('gives each local server half a second, all at the same time', async () => {
    const server = await serve('openai', { apiKey: null });
    const hanging = Object.fromEntries(
      ['ollama', 'lmstudio', 'llamacpp', 'vllm'].map((name) => [
        name,
        { baseUrl: 'http://127.0.0.1:9/hangs' },
      ]),
    );
    // Time that nobody waits for: the time-outs of the probes are what lets this end.
    const waits: number[] = [];
    const clock = {
      ...systemClock,
      after: (ms: number, fn: () => void) => {
        waits.push(ms);
        return systemClock.after(ms, fn, { keepAlive: false });
      },
    };
    await models({ providers: hanging }, {}, { clock }).defaultModel();
    expect([waits, server.probes.length]).toEqual([[500, 500, 500, 500], 0]);
  });
});

describe('a lease', () => {
  it('gets the model, those to fall over to that can be used, and their keys and no others', async () => {
    const given = {
      failover: ['openai/b', 'openrouter/c', 'ollama/d', 'anthropic/a', 'offline', 'nobody/x'],
      providers: { mine: { wire: 'openai', baseUrl: 'https://llm.example/v1', keyEnv: 'MINE' } },
    };
    const own = models(given, { ANTHROPIC_API_KEY: 'ka', OPENAI_API_KEY: 'ko', MINE: 'km' });
    const lease = await own.forLease('anthropic/a');
    expect(lease.kind === 'usable' && [lease.models.map(({ ref }) => ref), lease.secrets]).toEqual([
      ['anthropic/a', 'openai/b', 'ollama/d'],
      { anthropic: { value: 'ka', version: 1 }, openai: { value: 'ko', version: 1 } },
    ]);
    expect(await own.forLease('offline')).toMatchObject({ models: [{ ref: 'offline' }], secrets: {} });
    expect(own.notices).toEqual([
      expect.stringMatching(/models\.failover: There is no model provider "nobody"/),
    ]);
  });

  it.each([
    [
      'of a provider without its key',
      'anthropic/a',
      'credential_missing',
      /set ANTHROPIC_API_KEY and restart/,
    ],
    ['whose key program fails', 'openai/b', 'credential_missing', /printed nothing/],
    ['that nobody knows', 'nobody/x', 'model_unavailable', /no model provider "nobody"/],
  ])('is not made for a model %s: one sentence says why', async (_title, ref, code, reason) => {
    const own = models({ providers: { openai: { keyCommand: ['key'] } } });
    expect(await own.forLease(ref)).toEqual({ kind: 'problem', code, reason: expect.stringMatching(reason) });
  });
});

describe.each(wireNames)('a test over the %s wire', (wire) => {
  const env = (server: { url: string }, key = 'stand-in-key') => ({
    [`${wire.toUpperCase()}_API_KEY`]: key,
    [`${wire.toUpperCase()}_BASE_URL`]: server.url,
  });

  it('is one small valid request with the time it took', async () => {
    const server = await serve(wire);
    expect(await models({}, env(server)).test(`${wire}/stand-in-small`)).toEqual({
      ref: `${wire}/stand-in-small`,
      ok: true,
      ms: expect.any(Number),
      text: 'ready',
    });
    expect([server.requests.length, server.complaints]).toEqual([1, []]);
  });

  it('tells a refused key, an unknown model, a busy and an absent server apart, and never shows the key', async () => {
    const server = await serve(wire);
    const secret = 'sk-ant-secret-secret';
    const refused = await models({}, env(server, secret)).test(`${wire}/stand-in-small`);
    const unknown = await models({}, env(server)).test(`${wire}/nobody`);
    server.enqueue([{ kind: 'httpError', status: 529, message: `overloaded by ${secret}` }]);
    const busy = await models({}, env(server)).test(`${wire}/stand-in-small`);
    server.enqueue([{ kind: 'page', status: 200, contentType: 'text/html', body: '<p>hello' }]);
    const page = await models({}, env(server)).test(`${wire}/stand-in-small`);
    const absent = await models({}, env({ url: await closedPort() })).test(`${wire}/x`);
    const all = [refused, unknown, busy, page, absent];
    expect(all.map((answer) => (answer.ok ? 'ok' : answer.code))).toEqual([
      'key_refused',
      'unknown_model',
      'refused',
      'no_model',
      'unreachable',
    ]);
    expect(all.filter((answer) => !answer.ok && !/[.!?]$/.test(answer.message))).toEqual([]);
    expect(JSON.stringify(all)).not.toContain(secret);
  });

  it('gives up after ten seconds', async () => {
    const server = await serve(wire);
    server.enqueue([{ kind: 'hang' }]);
    const clock = { ...systemClock, after: (ms: number, fn: () => void) => systemClock.after(ms / 100, fn) };
    const answer = await models({}, env(server), { clock }).test(`${wire}/stand-in-small`);
    expect(answer).toMatchObject({
      ok: false,
      code: 'timed_out',
      message: expect.stringContaining('within 10 s'),
    });
  });
});

it('A test without a key asks nobody.', async () => {
  expect(await models({}).test('anthropic/x')).toMatchObject({ ok: false, code: 'no_key' });
});

describe('the list', () => {
  it('shows providers with where their keys come from, local servers that answer, prices, default and failover', async () => {
    const openai = await serve('openai', { models: ['gpt-6-sol', 'other'] });
    const ollama = await serve('openai', { apiKey: null, models: ['qwen3:8b'] });
    const none = await quiet();
    delete none.lmstudio;
    const given = {
      failover: ['openai/other'],
      providers: { ...none, ollama: { baseUrl: ollama.url }, vllm: { baseUrl: await closedPort() } },
    };
    const answer = await models(given, {
      OPENAI_API_KEY: 'stand-in-key',
      OPENAI_BASE_URL: openai.url,
    }).list();
    const shown = answer.providers
      .filter(({ name }) => name !== 'lmstudio')
      .map(({ name, key, state }) => [name, key, state]);
    expect([
      answer.default,
      shown,
      answer.models.map(({ ref, isDefault, failover, price }) => [
        ref,
        isDefault,
        failover,
        price?.input ?? null,
      ]),
    ]).toEqual([
      { ref: 'openai/gpt-6-sol', from: 'key', problem: null },
      [
        ['anthropic', null, 'no_key'],
        ['openai', 'OPENAI_API_KEY', 'ready'],
        ['openrouter', null, 'no_key'],
        ['ollama', null, 'ready'],
        ['llamacpp', null, 'unreachable'],
        ['vllm', null, 'unreachable'],
      ],
      [
        ['openai/gpt-6-sol', true, null, 2],
        ['openai/other', false, 1, null],
        ['offline', false, null, null],
        ['ollama/qwen3:8b', false, null, null],
      ],
    ]);
    const counts = answer.providers.filter(({ state }) => state === 'ready').map(({ detail }) => detail);
    expect(counts).toEqual(['2 models', '1 model']);
    expect(JSON.stringify(answer)).not.toContain('stand-in-key');
  });
});

describe('setting the default', () => {
  it('stores it and holds at once; KAIROS_MODEL that goes before it is told', async () => {
    const stored: string[] = [];
    const storeDefault = async (ref: string) => void stored.push(ref);
    const own = models({}, {}, { storeDefault });
    const answer = await own.setDefault(' ollama/x ');
    const named = await models({}, { KAIROS_MODEL: 'offline' }, { storeDefault }).setDefault('ollama/y');
    expect([answer, await own.defaultModel(), named.note, stored]).toEqual([
      { ref: 'ollama/x', note: null },
      { ref: 'ollama/x', from: 'settings' },
      expect.stringContaining('KAIROS_MODEL=offline'),
      ['ollama/x', 'ollama/y'],
    ]);
  });

  it.each([
    ['nonsense', /names no model/],
    ['anthropic/x', /no key for anthropic/],
  ])('to what cannot be used is refused and nothing is stored: %s', async (ref, message) => {
    const storeDefault = () => Promise.reject(new Error('stored'));
    await expect(models({}, {}, { storeDefault }).setDefault(ref)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(message),
    });
  });
});

describe('a list that tells prices', () => {
  /** Answers every request with this list, and counts them. */
  async function priceList(data: readonly object[]) {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { baseUrl: `http://127.0.0.1:${port}/v1`, asked: () => asked };
  }

  it('is asked once before the first request; settings go before it, and what it does not tell stays unknown', async () => {
    const list = await priceList([
      {
        id: 'maker/one',
        context_length: 262_144,
        pricing: { prompt: '0.0000008', completion: '0.000002', input_cache_read: '0.00000008' },
      },
      { id: 'maker/auto', context_length: 0, pricing: { prompt: '-1', completion: '-1' } },
      { id: 'maker/plain' },
    ]);
    const book = models(
      {
        providers: { openrouter: { baseUrl: list.baseUrl } },
        overrides: { 'openrouter/maker/plain': { contextTokens: 9_000 } },
        prices: { 'openrouter/maker/plain': { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
      },
      { OPENROUTER_API_KEY: 'stand-in-key' },
    );
    const before = book.choice('openrouter/maker/one')?.price;
    const leased = [];
    for (const name of ['one', 'auto', 'plain']) {
      const usable = await book.forLease(`openrouter/maker/${name}`);
      leased.push(usable.kind === 'usable' && usable.models[0]);
    }
    const price = { input: 0.8, output: 2, cacheRead: 0.08, cacheWrite: 0.8 };
    expect([before, leased, book.choice('openrouter/maker/one')?.price, list.asked()]).toEqual([
      null,
      [
        expect.objectContaining({ contextTokens: 262_144, price }),
        expect.objectContaining({ contextTokens: 128_000, price: null }),
        expect.objectContaining({
          contextTokens: 9_000,
          price: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
        }),
      ],
      price,
      1,
    ]);
  });
});
