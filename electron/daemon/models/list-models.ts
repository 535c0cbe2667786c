import type { ModelSettings } from '../../../shared/domain/model-settings.ts';
import { type ModelChoice, offlineChoice } from '../../../shared/domain/models.ts';
import type { ModelsAnswer, ModelView, ProviderView } from '../../../shared/protocol/bridge.ts';
import type { DefaultModel } from './choose-default.ts';
import { makeChoice, type Told } from './make-choice.ts';
import { hasKey, type Provider } from './providers.ts';
import type { ServerModels } from './server-models.ts';

/** What the list is made of; `said`: what each provider's server answered. */
export interface ListInput {
  readonly settings: ModelSettings;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly said: ReadonlyMap<string, ServerModels>;
  readonly chosen: DefaultModel;
  /** Why the default cannot be used, null when it can. */
  readonly problem: string | null;
}

/** Providers that are there or were named, and the models that can be named, the default first. */
export function listModels(input: ListInput): ModelsAnswer {
  const { providers, said, chosen, problem, settings } = input;
  const views = [...providers.values()].flatMap((provider) => {
    const answer = said.get(provider.name);
    const isShown =
      answer !== undefined && (!provider.isProbed || provider.isNamed || answer.kind === 'listed');
    return isShown ? [providerView(provider, answer)] : [];
  });
  const refs = new Set([chosen.ref, ...settings.failover, offlineChoice.ref]);
  for (const provider of providers.values()) {
    const answer = said.get(provider.name);
    const listed = answer?.kind === 'listed' ? answer.models : [];
    for (const model of [...provider.models, ...listed]) refs.add(`${provider.name}/${model}`);
  }
  const told: Told = (provider, model) => {
    const answer = said.get(provider);
    return answer?.kind === 'listed' ? answer.told.get(model) : undefined;
  };
  const models = [...refs].flatMap((ref) => {
    const made = makeChoice(ref, settings, providers, told);
    return made.kind === 'choice' ? [modelView(made.choice, made.provider, input)] : [];
  });
  return { default: { ref: chosen.ref, from: chosen.from, problem }, providers: views, models };
}

const count = (models: number): string => (models === 1 ? '1 model' : `${models} models`);

function providerView(provider: Provider, answer: ServerModels): ProviderView {
  const { name, wire, baseUrl, key } = provider;
  const { origin, pathname } = new URL(baseUrl);
  const from = key.from === 'environment' ? key.name : key.from === 'command' ? 'command' : null;
  return {
    name,
    wire,
    address: `${origin}${pathname}`,
    key: hasKey(provider) ? from : null,
    state: answer.kind === 'listed' ? 'ready' : answer.kind,
    detail: answer.kind === 'listed' ? count(answer.models.length) : answer.why,
  };
}

function modelView(
  { ref, contextTokens, images, price }: ModelChoice,
  provider: Provider | null,
  { chosen, settings }: ListInput,
): ModelView {
  const place = settings.failover.indexOf(ref);
  return {
    ref,
    provider: provider?.name ?? null,
    contextTokens,
    images,
    price,
    isDefault: ref === chosen.ref,
    failover: place < 0 ? null : place + 1,
  };
}
