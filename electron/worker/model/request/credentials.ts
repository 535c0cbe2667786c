import type { Credential, ModelChoice } from '../../../../shared/domain/models.ts';

/** A fresh credential, or one sentence why there is none. */
export type Refreshed =
  | { readonly kind: 'fresh'; readonly credential: Credential }
  | { readonly kind: 'refused'; readonly reason: string };

/** Asks for a newer credential than the one with this version. */
export type Refresh = (input: { readonly name: string; readonly version: number }) => Promise<Refreshed>;

/** The credentials of a lease, in memory only, replaced by newer ones. */
export class Credentials {
  readonly #known: Map<string, Credential>;
  readonly #refresh: Refresh;

  constructor(secrets: Readonly<Record<string, Credential>>, refresh: Refresh) {
    this.#known = new Map(Object.entries(secrets));
    this.#refresh = refresh;
  }

  /** A model that needs a credential which is not here cannot be asked. */
  lacks({ credential }: ModelChoice): boolean {
    return credential !== null && !this.#known.has(credential);
  }

  secretOf({ credential }: ModelChoice): string | null {
    return credential === null ? null : (this.#known.get(credential)?.value ?? null);
  }

  /** Gets a newer credential after this one was refused; otherwise one sentence why there is none. */
  async refresh({ credential, ref }: ModelChoice): Promise<'fresh' | { readonly reason: string }> {
    if (credential === null) return { reason: keyless(ref) };
    const version = this.#known.get(credential)?.version ?? 0;
    const answer = await this.#refresh({ name: credential, version });
    if (answer.kind === 'refused') return { reason: answer.reason };
    this.#known.set(credential, answer.credential);
    return 'fresh';
  }
}

/** Own providers need no key until they say so. */
function keyless(ref: string): string {
  const provider = ref.slice(0, ref.indexOf('/'));
  return `It was asked without a key: keyEnv (and its variable) or keyCommand is missing for provider ${provider} (models.providers.${provider} in settings.json).`;
}
