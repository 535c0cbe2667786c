import type { Credential } from '../../../shared/domain/models.ts';
import type { RunKeyCommand } from './key-command.ts';
import type { Environment, Provider } from './providers.ts';

/** A credential, or one sentence (what happened, what to do) why there is none. */
export type CredentialAnswer =
  | { readonly kind: 'fresh'; readonly credential: Credential }
  | { readonly kind: 'refused'; readonly reason: string };

/** What the book reads keys with. */
export interface CredentialPorts {
  readonly env: Environment;
  readonly runKeyCommand: RunKeyCommand;
}

/** Keys of the providers, in memory only; each new value has a higher version. */
export class CredentialBook {
  readonly #ports: CredentialPorts;
  readonly #held = new Map<string, Credential>();
  readonly #running = new Map<string, Promise<CredentialAnswer>>();

  constructor(ports: CredentialPorts) {
    this.#ports = ports;
  }

  /** The provider's key as it is known; a command is run when it never was. */
  async current(provider: Provider): Promise<CredentialAnswer> {
    const held = this.#held.get(provider.name);
    if (held) return { kind: 'fresh', credential: held };
    if (provider.key.from === 'command') return this.#runOnce(provider, provider.key.command);
    return this.#fromEnvironment(provider);
  }

  /** A newer one than the refused `version`: whoever asks while it is made, or afterwards, gets the same. */
  async refresh(provider: Provider, version: number): Promise<CredentialAnswer> {
    const held = this.#held.get(provider.name);
    if (held && held.version > version) return { kind: 'fresh', credential: held };
    if (provider.key.from === 'command') return this.#runOnce(provider, provider.key.command);
    return { kind: 'refused', reason: notRefreshable(provider) };
  }

  #fromEnvironment(provider: Provider): CredentialAnswer {
    const { key } = provider;
    const value = key.from === 'environment' ? this.#ports.env[key.name]?.trim() : undefined;
    if (value === undefined || value === '') return { kind: 'refused', reason: keyMissing(provider) };
    const credential = { value, version: 1 };
    this.#held.set(provider.name, credential);
    return { kind: 'fresh', credential };
  }

  #runOnce(provider: Provider, command: readonly string[]): Promise<CredentialAnswer> {
    const { name } = provider;
    const running = this.#running.get(name);
    if (running) return running;
    const run = this.#run(provider, command).finally(() => this.#running.delete(name));
    this.#running.set(name, run);
    return run;
  }

  async #run({ name }: Provider, command: readonly string[]): Promise<CredentialAnswer> {
    const before = this.#held.get(name);
    const printed = await this.#ports.runKeyCommand(command);
    if (printed.kind === 'none') {
      const reason = `There is no key for ${name} (${printed.why}): mend models.providers.${name}.keyCommand in settings.json or what it runs.`;
      return { kind: 'refused', reason };
    }
    if (before?.value === printed.key) {
      const reason = `The key for ${name} was refused and its key command prints the same one again: sign in anew with the program that it runs.`;
      return { kind: 'refused', reason };
    }
    const credential = { value: printed.key, version: (before?.version ?? 0) + 1 };
    this.#held.set(name, credential);
    return { kind: 'fresh', credential };
  }
}

/** What happened and what to do, in one sentence; `what` needs the key. */
export function keyMissing({ name, key }: Provider, what = name): string {
  const where = key.from === 'environment' ? key.name : `models.providers.${name}.keyEnv in settings.json`;
  return `There is no key for ${what}: set ${where} and restart the daemon.`;
}

function notRefreshable({ name, key }: Provider): string {
  if (key.from !== 'environment') {
    return `${name} wants a key and has none. Name models.providers.${name}.keyEnv or keyCommand in settings.json and restart the daemon (kairos daemon restart).`;
  }
  return `The key in ${key.name} was refused, and a key from the environment cannot be made anew: set a valid one and restart the daemon (kairos daemon restart).`;
}
