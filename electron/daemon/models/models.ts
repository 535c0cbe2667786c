import { KairosError } from '../../../shared/base/errors.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import type { ModelSettings } from '../../../shared/domain/model-settings.ts';
import { type Credential, type ModelChoice, offlineChoice } from '../../../shared/domain/models.ts';
import type { DefaultModelAnswer, ModelsAnswer, ModelTestAnswer } from '../../../shared/protocol/bridge.ts';
import { chooseDefault, configuredModel, type DefaultModel } from './choose-default.ts';
import { CredentialBook, type CredentialAnswer, keyMissing } from './credentials.ts';
import type { RunKeyCommand } from './key-command.ts';
import { listModels } from './list-models.ts';
import { type Made, makeChoice } from './make-choice.ts';
import { type Environment, hasKey, type Provider, readProviders } from './providers.ts';
import { ServerModelLists } from './server-models.ts';
import { testModel } from './test-model.ts';

/** What the models are made from. `env`: the daemon's own, read at its start. */
export interface ModelsPorts {
  readonly settings: ModelSettings;
  readonly env: Environment;
  readonly clock: Clock;
  readonly runKeyCommand: RunKeyCommand;
  /** Stores the default in `settings.json`; rejects when the file cannot be changed. */
  readonly storeDefault: (ref: string) => Promise<void>;
}

/** The models of a lease with the secrets that they need, by name. */
export interface UsableModels {
  readonly kind: 'usable';
  readonly models: readonly ModelChoice[];
  readonly secrets: Readonly<Record<string, Credential>>;
}

/** Why a model cannot be used: a code for parking, and what happened with what to do. */
export interface UnusableModel {
  readonly kind: 'problem';
  readonly code: 'model_unavailable' | 'credential_missing';
  readonly reason: string;
}

/** The built-in provider whose list of models tells what they cost. */
const tellsPrices = 'openrouter';
/** How long a default that servers decided is believed. */
const chosenForMs = 10 * 60_000;

/** The models of this installation: which there are, which one a session gets, and the keys they need. */
export class Models {
  readonly #ports: ModelsPorts;
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #credentials: CredentialBook;
  readonly #lists: ServerModelLists;
  #settings: ModelSettings;
  #chosen: { readonly until: number; readonly answer: Promise<DefaultModel> } | null = null;
  /** What of settings and environment could not be taken, one sentence each. */
  readonly notices: readonly string[];

  constructor(ports: ModelsPorts) {
    const { settings, env, clock, runKeyCommand } = ports;
    const { providers, notices } = readProviders(settings, env);
    this.#ports = ports;
    this.#settings = settings;
    this.#providers = providers;
    this.#credentials = new CredentialBook({ env, runKeyCommand });
    this.#lists = new ServerModelLists({ clock, credentials: this.#credentials });
    const wrong = settings.failover.flatMap((ref) => {
      const made = makeChoice(ref, settings, providers);
      return made.kind === 'none' ? [`settings.json: models.failover: ${made.message}`] : [];
    });
    this.notices = [...notices, ...wrong];
  }

  /** The model of that name; null when it names none. Never waits. */
  choice(ref: string): ModelChoice | null {
    const made = this.#made(ref);
    return made.kind === 'choice' ? made.choice : null;
  }

  /** The ref as it is stored; throws `bad_input` when it names no model. */
  checkRef(ref: string): string {
    const trimmed = ref.trim();
    const made = this.#made(trimmed);
    if (made.kind === 'choice') return trimmed;
    throw new KairosError('bad_input', made.message, { next: 'See: kairos models' });
  }

  /** What a worker needs to run it: the model, those to fall over to that can be used, and their keys. */
  async forLease(ref: string): Promise<UsableModels | UnusableModel> {
    const first = await this.#usable(ref);
    if ('reason' in first) return { kind: 'problem', ...first };
    const { choice } = first;
    const models = [choice];
    const secrets: Record<string, Credential> = { ...first.secrets };
    if (choice.wire !== 'offline') {
      for (const other of this.#settings.failover) {
        if (other === offlineChoice.ref || models.some((model) => model.ref === other)) continue;
        const next = await this.#usable(other);
        if ('reason' in next) continue;
        models.push(next.choice);
        Object.assign(secrets, next.secrets);
      }
    }
    return { kind: 'usable', models, secrets };
  }

  /** Makes a refused credential anew, once for all who ask. */
  async refresh(name: string, version: number): Promise<CredentialAnswer> {
    const provider = this.#providers.get(name);
    if (!provider) return { kind: 'refused', reason: `There is no model provider "${name}" any more.` };
    return this.#credentials.refresh(provider, version);
  }

  /** The model of a session that names none. */
  async defaultRef(): Promise<string> {
    return (await this.defaultModel()).ref;
  }

  /** The same with what decided it; servers are asked only when nobody named one, and not again for ten minutes. */
  defaultModel(): Promise<DefaultModel> {
    const configured = this.configured();
    if (configured) return Promise.resolve(configured);
    const { clock } = this.#ports;
    if (this.#chosen && this.#chosen.until > clock.monotonic()) return this.#chosen.answer;
    const answer = chooseDefault(null, [...this.#providers.values()], (provider) => this.#lists.of(provider));
    const until = clock.monotonic() + chosenForMs;
    this.#chosen = { until, answer };
    // A server that is started later counts soon: looking for local ones costs half a second at most.
    void answer.then(({ from }) => {
      if (from === 'nothing else') this.#chosen = null;
    });
    return answer;
  }

  /** What `KAIROS_MODEL` or the settings name, null when they name nothing. */
  configured(): DefaultModel | null {
    return configuredModel(this.#settings, this.#ports.env);
  }

  /** Why the configured default cannot be used, as far as that can be told without asking anybody; null when it can. */
  configuredProblem(): string | null {
    const configured = this.configured();
    return configured && this.problem(configured.ref);
  }

  /** Every provider that is there and its models, asked for now. */
  async list(): Promise<ModelsAnswer> {
    this.#lists.forget();
    const said = new Map(
      await Promise.all(
        [...this.#providers.values()].map(
          async (provider) => [provider.name, await this.#lists.of(provider)] as const,
        ),
      ),
    );
    const chosen = await this.defaultModel();
    const problem = this.problem(chosen.ref);
    return listModels({ settings: this.#settings, providers: this.#providers, said, chosen, problem });
  }

  /** One small real request. Throws `bad_input` when the ref names no model. */
  async test(ref: string): Promise<ModelTestAnswer> {
    const named = this.checkRef(ref);
    const made = this.#made(named);
    if (made.kind !== 'choice' || made.provider === null) {
      return { ref: named, ok: true, ms: 0, text: 'The offline engine is built in.' };
    }
    const { choice, provider } = made;
    const usable = await this.#usable(named);
    if ('reason' in usable) {
      return { ref: named, ok: false, code: 'no_key', message: usable.reason, next: 'See: kairos models' };
    }
    const key = usable.secrets[provider.name]?.value ?? null;
    return testModel({ choice, provider, key, clock: this.#ports.clock });
  }

  /** Makes it the default of new sessions, here and in `settings.json`. Throws `bad_input` when it names no usable model. */
  async setDefault(ref: string): Promise<DefaultModelAnswer> {
    const named = this.checkRef(ref);
    const problem = this.problem(named);
    if (problem !== null) throw new KairosError('bad_input', problem, { next: 'See: kairos models' });
    await this.#ports.storeDefault(named);
    this.#settings = { ...this.#settings, default: named };
    const holds = this.configured();
    const note =
      holds?.from === 'KAIROS_MODEL'
        ? `The daemon was started with KAIROS_MODEL=${holds.ref}, which goes before it until it is restarted without.`
        : null;
    return { ref: named, note };
  }

  /** Why a model cannot be used, as far as that can be told without asking anybody; null when it can. */
  problem(ref: string): string | null {
    const made = this.#made(ref);
    if (made.kind === 'none') return made.message;
    const { provider } = made;
    return provider && provider.needsKey && !hasKey(provider) ? keyMissing(provider) : null;
  }

  async #usable(
    ref: string,
  ): Promise<
    | { readonly choice: ModelChoice; readonly secrets: Readonly<Record<string, Credential>> }
    | Omit<UnusableModel, 'kind'>
  > {
    const made = this.#made(ref);
    if (made.kind === 'none') return { code: 'model_unavailable', reason: made.message };
    const { provider } = made;
    if (provider === null) return { choice: made.choice, secrets: {} };
    const choice = await this.#priced(ref, made.choice, provider);
    if (!hasKey(provider)) {
      if (!provider.needsKey) return { choice, secrets: {} };
      return { code: 'credential_missing', reason: keyMissing(provider, ref) };
    }
    const answer = await this.#credentials.current(provider);
    if (answer.kind === 'refused') {
      return { code: 'credential_missing', reason: answer.reason };
    }
    return { choice, secrets: { [provider.name]: answer.credential } };
  }

  #made(ref: string): Made {
    return makeChoice(ref, this.#settings, this.#providers, (provider, model) =>
      this.#lists.told(provider, model),
    );
  }

  /** Where the provider's list tells prices it is asked before the first request: budgets need them. */
  async #priced(ref: string, choice: ModelChoice, provider: Provider): Promise<ModelChoice> {
    if (choice.price !== null || provider.name !== tellsPrices) return choice;
    await this.#lists.of(provider);
    return this.choice(ref) ?? choice;
  }
}
