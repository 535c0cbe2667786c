import type { ModelFacts, ModelSettings } from '../../../shared/domain/model-settings.ts';
import { type ModelChoice, type ModelPrice, offlineChoice } from '../../../shared/domain/models.ts';
import { knownModels } from './known-models.ts';
import { bestKey } from './match-ref.ts';
import { hasKey, type Provider } from './providers.ts';
import type { ToldFacts } from './server-models.ts';

/** A ref in its parts; the model may hold slashes of its own. */
export interface RefParts {
  readonly provider: string;
  readonly model: string;
}

/** `provider/model` in its parts; null when it is none. */
export function splitRef(ref: string): RefParts | null {
  const [, provider, model] = /^([a-z0-9][a-z0-9_-]*)\/(\S{1,200})$/.exec(ref) ?? [];
  return provider === undefined || model === undefined ? null : { provider, model };
}

/** A model, or why the ref names none (one sentence). */
export type Made =
  | { readonly kind: 'choice'; readonly choice: ModelChoice; readonly provider: Provider | null }
  | { readonly kind: 'none'; readonly message: string };

/** What a provider's server said of a model. */
export type Told = (provider: string, model: string) => ToldFacts | undefined;

/** What settings, built-in table and, where these say nothing, the server know of the model that a ref names. */
export function makeChoice(
  ref: string,
  settings: ModelSettings,
  providers: ReadonlyMap<string, Provider>,
  told: Told = () => undefined,
): Made {
  if (ref === offlineChoice.ref) return { kind: 'choice', choice: offlineChoice, provider: null };
  const parts = splitRef(ref);
  if (parts === null) {
    const message = `"${shown(ref)}" names no model: write offline, or a provider and its model as in anthropic/claude-sonnet-5-5.`;
    return { kind: 'none', message };
  }
  const provider = providers.get(parts.provider);
  if (!provider) {
    const known = [...providers.keys()].join(', ');
    const message = `There is no model provider "${shown(parts.provider)}" (known: ${known}).`;
    return { kind: 'none', message };
  }
  if (provider.problem !== undefined) return { kind: 'none', message: provider.problem };
  return { kind: 'choice', choice: choiceOf(ref, parts.model, provider, { settings, told }), provider };
}

const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

interface Sources {
  readonly settings: ModelSettings;
  readonly told: Told;
}

function choiceOf(ref: string, model: string, provider: Provider, { settings, told }: Sources): ModelChoice {
  const said = told(provider.name, model) ?? {};
  const context = said.contextTokens === undefined ? {} : { contextTokens: said.contextTokens };
  const facts: ModelFacts = { ...context, ...knownOf(ref)?.facts, ...overrideOf(ref, settings) };
  return {
    ref,
    wire: provider.wire,
    model,
    baseUrl: provider.baseUrl,
    credential: hasKey(provider) ? provider.name : null,
    contextTokens: facts.contextTokens ?? (provider.isProbed ? 32_768 : 128_000),
    maxOutputTokens: facts.maxOutputTokens ?? 8_192,
    images: facts.images ?? false,
    thinkingTokens: facts.thinkingTokens ?? 0,
    price: priceOf(ref, settings, said.price),
  };
}

const knownKeys = knownModels.map(({ match }) => match);

function knownOf(ref: string): (typeof knownModels)[number] | undefined {
  const key = bestKey(knownKeys, ref);
  return knownModels.find(({ match }) => match === key);
}

function overrideOf(ref: string, { overrides }: ModelSettings): ModelFacts {
  const key = bestKey(Object.keys(overrides), ref);
  return key === undefined ? {} : (overrides[key] ?? {});
}

function priceOf(ref: string, { prices }: ModelSettings, said: ModelPrice | undefined): ModelPrice | null {
  const key = bestKey(Object.keys(prices), ref);
  if (key !== undefined) return prices[key] ?? null;
  return knownOf(ref)?.price ?? said ?? null;
}
