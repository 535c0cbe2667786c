import { describe, expect, it } from 'vitest';
import { CredentialBook } from '../../../electron/daemon/models/credentials.ts';
import type { PrintedKey } from '../../../electron/daemon/models/key-command.ts';
import { type Provider, readProviders } from '../../../electron/daemon/models/providers.ts';
import { modelSettingsSchema } from '../../../shared/domain/model-settings.ts';

function providerOf(name: string, given: object = {}, env: Record<string, string> = {}): Provider {
  const settings = modelSettingsSchema.parse({ providers: { [name]: given } });
  const provider = readProviders(settings, env).providers.get(name);
  if (!provider) throw new Error(`no provider ${name}`);
  return provider;
}

/** A key program that the test ends: each run waits for its turn. */
function keyProgram() {
  const waiting: ((printed: PrintedKey) => void)[] = [];
  return {
    runs: 0,
    run(): Promise<PrintedKey> {
      this.runs += 1;
      return new Promise((resolve) => void waiting.push(resolve));
    },
    print: (key: string) => waiting.shift()?.({ kind: 'key', key }),
    fail: (why: string) => waiting.shift()?.({ kind: 'none', why }),
  };
}

describe('a key from a command', () => {
  const provider = providerOf('openai', { keyCommand: ['key'] });

  it('that has expired is made anew once for eight sessions, and whoever comes later gets it at once', async () => {
    const program = keyProgram();
    const book = new CredentialBook({ env: {}, runKeyCommand: () => program.run() });
    const first = book.current(provider);
    program.print('one');
    expect(await first).toEqual({ kind: 'fresh', credential: { value: 'one', version: 1 } });
    const eight = Promise.all(Array.from({ length: 8 }, () => book.refresh(provider, 1)));
    program.print('two');
    const fresh = { kind: 'fresh', credential: { value: 'two', version: 2 } };
    expect([
      await eight,
      await book.refresh(provider, 1),
      await book.current(provider),
      program.runs,
    ]).toEqual([Array.from({ length: 8 }, () => fresh), fresh, fresh, 2]);
  });

  it('is not believed when the program prints the refused one again, and is asked for anew after a failure', async () => {
    const program = keyProgram();
    const book = new CredentialBook({ env: {}, runKeyCommand: () => program.run() });
    const first = book.current(provider);
    program.fail('the key command ended with code 1');
    const failed = await first;
    const second = book.current(provider);
    program.print('one');
    const made = await second;
    const again = book.refresh(provider, 1);
    program.print('one');
    expect([failed, made, await again]).toEqual([
      {
        kind: 'refused',
        reason: expect.stringMatching(
          /no key for openai \(the key command ended with code 1\): mend models\.providers\.openai\.keyCommand/,
        ),
      },
      { kind: 'fresh', credential: { value: 'one', version: 1 } },
      { kind: 'refused', reason: expect.stringMatching(/prints the same one again/) },
    ]);
  });
});

describe('a key from the environment', () => {
  it('is trimmed and cannot be made anew: the person reads which variable to set', async () => {
    const env = { OPENAI_API_KEY: ' k\n' };
    const book = new CredentialBook({ env, runKeyCommand: () => Promise.reject(new Error('no')) });
    const provider = providerOf('openai', {}, env);
    expect([await book.current(provider), await book.refresh(provider, 1)]).toEqual([
      { kind: 'fresh', credential: { value: 'k', version: 1 } },
      {
        kind: 'refused',
        reason: expect.stringMatching(/^The key in OPENAI_API_KEY was refused.*kairos daemon restart\)\.$/),
      },
    ]);
  });

  it('that is missing is told with its variable', async () => {
    const book = new CredentialBook({ env: {}, runKeyCommand: () => Promise.reject(new Error('no')) });
    expect(await book.current(providerOf('anthropic'))).toEqual({
      kind: 'refused',
      reason: 'There is no key for anthropic: set ANTHROPIC_API_KEY and restart the daemon.',
    });
  });
});
