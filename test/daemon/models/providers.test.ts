import { describe, expect, it } from 'vitest';
import { normalBaseUrl } from '../../../electron/daemon/models/base-url.ts';
import { makeChoice } from '../../../electron/daemon/models/make-choice.ts';
import { bestKey, matchesRef } from '../../../electron/daemon/models/match-ref.ts';
import { hasKey, readProviders } from '../../../electron/daemon/models/providers.ts';
import { modelSettingsSchema, type ModelSettings } from '../../../shared/domain/model-settings.ts';

const settings = (given: object = {}): ModelSettings => modelSettingsSchema.parse(given);

describe('the address of a server', () => {
  it.each([
    ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
    ['anthropic', 'https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1'],
    ['anthropic', 'https://gate.example/anthropic', 'https://gate.example/anthropic/v1'],
    ['openai', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['openai', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
    ['openai', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
    ['openai', 'https://host.example/v1beta/openai/', 'https://host.example/v1beta/openai'],
  ] as const)('of the %s wire: %s', (wire, written, expected) => {
    expect(normalBaseUrl(wire, written)).toBe(expected);
  });
});

it('finds the most exact key that fits a ref', () => {
  const keys = ['a/*', 'a/b*', 'a/b-c', '*'];
  expect(['a/b-c', 'a/bx', 'a/x', 'z/1'].map((ref) => bestKey(keys, ref))).toEqual([
    'a/b-c',
    'a/b*',
    'a/*',
    '*',
  ]);
  expect([matchesRef('a.b/*', 'a.b/c'), matchesRef('a.b/*', 'axb/c'), bestKey(['b'], 'a')]).toEqual([
    true,
    false,
    undefined,
  ]);
});

describe('providers', () => {
  it('are the built-in ones with the addresses and keys of the environment', () => {
    const env = { ANTHROPIC_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/', OPENROUTER_API_KEY: ' ' };
    const { providers, notices } = readProviders(settings(), env);
    const shown = [...providers.values()].map((provider) => [
      provider.name,
      provider.baseUrl,
      hasKey(provider),
      provider.needsKey,
      provider.isProbed,
    ]);
    expect([shown, notices]).toEqual([
      [
        ['anthropic', 'https://api.anthropic.com/v1', true, true, false],
        ['openai', 'http://127.0.0.1:9/v1', false, false, false],
        ['openrouter', 'https://openrouter.ai/api/v1', false, true, false],
        ['ollama', 'http://127.0.0.1:11434/v1', false, false, true],
        ['lmstudio', 'http://127.0.0.1:1234/v1', false, false, true],
        ['llamacpp', 'http://127.0.0.1:8080/v1', false, false, true],
        ['vllm', 'http://127.0.0.1:8000/v1', false, false, true],
      ],
      [],
    ]);
  });

  it('are changed and added by the settings; what cannot be taken is told', () => {
    const { providers, notices } = readProviders(
      settings({
        providers: {
          openai: { keyCommand: ['pass', 'openai'] },
          ollama: { baseUrl: 'http://127.0.0.1:4' },
          mine: { wire: 'openai', baseUrl: 'https://llm.example/v1', keyEnv: 'MINE' },
          'Not A Name': { wire: 'openai', baseUrl: 'https://llm.example/v1' },
          half: { baseUrl: 'https://llm.example/v1' },
        },
      }),
      { OPENAI_API_KEY: 'k', ANTHROPIC_BASE_URL: 'nonsense' },
    );
    expect([
      providers.get('openai')?.key,
      providers.get('ollama')?.baseUrl,
      providers.get('mine'),
      providers.get('anthropic')?.baseUrl,
      notices,
    ]).toEqual([
      { from: 'command', command: ['pass', 'openai'] },
      'http://127.0.0.1:4/v1',
      {
        name: 'mine',
        wire: 'openai',
        baseUrl: 'https://llm.example/v1',
        key: { from: 'environment', name: 'MINE', isSet: false },
        needsKey: true,
        isProbed: false,
        isNamed: true,
        models: [],
      },
      'https://api.anthropic.com/v1',
      [
        expect.stringContaining('ANTHROPIC_BASE_URL holds no http address'),
        expect.stringContaining('models.providers.Not A Name is ignored'),
        expect.stringContaining('models.providers.half is ignored'),
      ],
    ]);
  });
});

it('whose address is none are refused with what to do, and nothing of theirs goes anywhere else', () => {
  const own = settings({
    providers: {
      openai: { baseUrl: 'file:///v1' },
      mine: { wire: 'openai', baseUrl: 'http://127.0.0.1:99999/v1' },
    },
  });
  const { providers, notices } = readProviders(own, {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: 'ftp://llm.example',
  });
  const made = ['anthropic/claude-sonnet-5-5', 'openai/x', 'mine/x'].map((ref) =>
    makeChoice(ref, own, providers),
  );
  const messages = [
    ['ANTHROPIC_BASE_URL', 'anthropic'],
    ['models.providers.openai.baseUrl (settings.json)', 'openai'],
    ['models.providers.mine.baseUrl (settings.json)', 'mine'],
  ].map(
    ([where, name]) =>
      `${where} holds no http address, so models of ${name} are not asked: correct or unset it, then restart with \`kairos daemon restart\`.`,
  );
  expect([made, notices]).toEqual([messages.map((message) => ({ kind: 'none', message })), messages]);
});

describe('a choice', () => {
  const choose = (ref: string, given: object = {}) => {
    const own = settings(given);
    const made = makeChoice(ref, own, readProviders(own, { ANTHROPIC_API_KEY: 'k' }).providers);
    return made.kind === 'choice' ? made.choice : made.message;
  };

  it('has the facts of the built-in table, and the prices and overrides of the settings before them', () => {
    const price = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    expect(choose('anthropic/claude-sonnet-5-5')).toEqual({
      ref: 'anthropic/claude-sonnet-5-5',
      wire: 'anthropic',
      model: 'claude-sonnet-5-5',
      baseUrl: 'https://api.anthropic.com/v1',
      credential: 'anthropic',
      contextTokens: 1_000_000,
      maxOutputTokens: 8192,
      images: true,
      thinkingTokens: 0,
      price: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
    });
    const given = {
      prices: { 'anthropic/*': price, 'anthropic/claude-opus-5': null },
      overrides: {
        'anthropic/claude-sonnet*': {
          contextTokens: 5,
          maxOutputTokens: 6,
          images: false,
          thinkingTokens: 7,
        },
      },
    };
    expect([
      choose('anthropic/claude-sonnet-5-5', given),
      choose('anthropic/claude-opus-5', given),
    ]).toMatchObject([
      { price, contextTokens: 5, maxOutputTokens: 6, images: false, thinkingTokens: 7 },
      { price: null, contextTokens: 1_000_000 },
    ]);
  });

  it('without a known price has none, also for models whose name holds slashes', () => {
    expect([choose('openrouter/anthropic/claude-sonnet-5.5'), choose('ollama/qwen3:8b')]).toMatchObject([
      { model: 'anthropic/claude-sonnet-5.5', price: null, credential: null, contextTokens: 128_000 },
      { model: 'qwen3:8b', price: null, credential: null, contextTokens: 32_768 },
    ]);
  });

  it.each([
    ['gpt', /"gpt" names no model: write offline, or a provider and its model/],
    ['openai/', /names no model/],
    ['openai/a b', /names no model/],
    ['nobody/x', /no model provider "nobody" \(known: anthropic, openai, openrouter, ollama/],
    ['__proto__/x', /names no model/],
    ['constructor/x', /no model provider "constructor"/],
  ])('is refused with a clear word: %s', (ref, message) => {
    expect(choose(ref)).toMatch(message);
  });
});
