import { expect, test } from 'vitest';
import { isSecretName, toolEnvironment, workerEnvironment } from '../../electron/node/tool-environment.ts';

test.each([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'OPENAI_ORG_ID',
  'GITHUB_TOKEN',
  'TOKEN',
  'slack_bot_token',
  'CLIENT_SECRET',
  'AWS_SECRET_ACCESS_KEY',
  'STRIPE_API_KEY',
  'SOME_APIKEY',
  'PGPASSWORD_PASSWORD',
  'DB_PASSWORD',
])('%s is a credential', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  'PATH',
  'TOKENIZERS_PARALLELISM',
  'SECRETARY',
  'PASSWORD_STORE_DIR',
  'KEY',
  'SSH_AUTH_SOCK',
  'MY_TOKENS_DIR',
])('%s is not a credential', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('tools get the person’s environment without our variables and credentials, with the mark of the run', () => {
  const login = {
    PATH: '/bin',
    KAIROS_HOME: '/home/me/.kairos',
    kairos_url: 'x',
    KAIROS_RUN: 'old',
    ANTHROPIC_API_KEY: 'a',
    GITHUB_TOKEN: 'b',
    NPM_TOKEN: 'c',
  };
  const pass = ['GITHUB_TOKEN', 'KAIROS_HOME'];
  expect(toolEnvironment({ login, run: 'home.run', pass })).toEqual({
    PATH: '/bin',
    GITHUB_TOKEN: 'b',
    KAIROS_RUN: 'home.run',
  });
});

test('a worker gets what is on the list and nothing else', () => {
  const from = {
    HOME: '/home/me',
    PATH: '/bin',
    LC_ALL: 'C',
    https_proxy: 'http://proxy',
    KAIROS_HOME: '/h',
    KAIROS_TOKEN: 'x',
    ANTHROPIC_API_KEY: 'a',
    EDITOR: 'vi',
    DISPLAY: ':0',
    TZ: undefined,
  };
  expect(workerEnvironment({ from, run: 'home.run', extra: ['DISPLAY'] })).toEqual({
    HOME: '/home/me',
    PATH: '/bin',
    LC_ALL: 'C',
    https_proxy: 'http://proxy',
    KAIROS_HOME: '/h',
    DISPLAY: ':0',
    KAIROS_RUN: 'home.run',
  });
});
