import type { ModelSettings } from '../../../shared/domain/model-settings.ts';
import { offlineChoice } from '../../../shared/domain/models.ts';
import { fallbackModels, preferredModels } from './known-models.ts';
import { matchesRef } from './match-ref.ts';
import { type Environment, hasKey, type Provider } from './providers.ts';
import type { ServerModels } from './server-models.ts';

/** The model of sessions that name none, and what decided it. */
export interface DefaultModel {
  readonly ref: string;
  readonly from: 'KAIROS_MODEL' | 'settings' | 'key' | 'local server' | 'nothing else';
}

/** What somebody named: `KAIROS_MODEL`, else the settings; null when nobody did. */
export function configuredModel(settings: ModelSettings, env: Environment): DefaultModel | null {
  const named = env.KAIROS_MODEL?.trim() ?? '';
  if (named !== '') return { ref: named, from: 'KAIROS_MODEL' };
  return settings.default === null ? null : { ref: settings.default, from: 'settings' };
}

/** Configured, else a provider whose key is there, else a local server that answers, else the offline engine. Asks servers only when it has to. */
export async function chooseDefault(
  configured: DefaultModel | null,
  providers: readonly Provider[],
  list: (provider: Provider) => Promise<ServerModels>,
): Promise<DefaultModel> {
  if (configured) return configured;
  const withKey = providers.find(
    (provider) => !provider.isProbed && (hasKey(provider) || (provider.isNamed && !provider.needsKey)),
  );
  if (withKey) {
    const model = pickModel(withKey, await list(withKey));
    if (model !== null) return { ref: `${withKey.name}/${model}`, from: 'key' };
  }
  const local = providers.filter((provider) => provider.isProbed);
  const lists = await Promise.all(local.map(async (provider) => ({ provider, said: await list(provider) })));
  for (const { provider, said } of lists) {
    const model = said.kind === 'listed' ? pickModel(provider, said) : null;
    if (model !== null) return { ref: `${provider.name}/${model}`, from: 'local server' };
  }
  return { ref: offlineChoice.ref, from: 'nothing else' };
}

/** Models that answer no questions. */
const noChat = /embed|rerank|whisper|tts|audio|image|realtime|moderation|transcri/i;

/** One that the person's settings name, else the preferred one of those that the server has, else the documented one. */
export function pickModel(provider: Provider, said: ServerModels): string | null {
  const [named] = provider.models;
  if (named !== undefined) return named;
  const fallback = fallbackModels[provider.name] ?? null;
  if (said.kind !== 'listed') return fallback;
  const usable = said.models.filter((model) => !noChat.test(model));
  for (const pattern of preferredModels[provider.name] ?? []) {
    const [best] = usable.filter((model) => matchesRef(pattern, model)).sort(newestFirst);
    if (best !== undefined) return best;
  }
  return usable[0] ?? fallback;
}

/** Numbers in names compare as numbers; a date suffix is less than none. */
function newestFirst(left: string, right: string): number {
  const undated = (name: string): string => name.replace(/-20\d{6}$/, '');
  const order = undated(right).localeCompare(undated(left), 'en', { numeric: true });
  return order === 0 ? left.length - right.length : order;
}
