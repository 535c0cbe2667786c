import type { ModelSettings, ProviderSettings } from '../../../shared/domain/model-settings.ts';
import { isLoopback, normalBaseUrl } from './base-url.ts';

/** Where a provider's key comes from. */
export type KeySource =
  | { readonly from: 'environment'; readonly name: string; readonly isSet: boolean }
  | { readonly from: 'command'; readonly command: readonly string[] }
  | { readonly from: 'none' };

/** A server that models are asked at. */
export interface Provider {
  readonly name: string;
  readonly wire: 'anthropic' | 'openai';
  readonly baseUrl: string;
  /** Why nothing is asked there (one sentence): the address that a person gave is none, and another one is not theirs. */
  readonly problem?: string;
  readonly key: KeySource;
  /** Without a key nothing can be asked. */
  readonly needsKey: boolean;
  /** One of the well-known local servers; it counts only when it answers. */
  readonly isProbed: boolean;
  /** Named in settings or environment, beyond the built-in facts. */
  readonly isNamed: boolean;
  /** Models that the settings name. */
  readonly models: readonly string[];
}

/** The daemon's environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Providers by name, and what of the settings could not be taken (one sentence each). */
export interface ProviderBook {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly notices: readonly string[];
}

interface BuiltIn {
  readonly name: string;
  readonly wire: 'anthropic' | 'openai';
  readonly url: string;
  readonly keyEnv?: string;
  readonly urlEnv?: string;
}

/** In the order in which a key decides. */
const remote: readonly BuiltIn[] = [
  {
    name: 'anthropic',
    wire: 'anthropic',
    url: 'https://api.anthropic.com/v1',
    keyEnv: 'ANTHROPIC_API_KEY',
    urlEnv: 'ANTHROPIC_BASE_URL',
  },
  {
    name: 'openai',
    wire: 'openai',
    url: 'https://api.openai.com/v1',
    keyEnv: 'OPENAI_API_KEY',
    urlEnv: 'OPENAI_BASE_URL',
  },
  { name: 'openrouter', wire: 'openai', url: 'https://openrouter.ai/api/v1', keyEnv: 'OPENROUTER_API_KEY' },
];

/** Their ports as these programs choose them. */
const local: readonly BuiltIn[] = [
  { name: 'ollama', wire: 'openai', url: 'http://127.0.0.1:11434/v1' },
  { name: 'lmstudio', wire: 'openai', url: 'http://127.0.0.1:1234/v1' },
  { name: 'llamacpp', wire: 'openai', url: 'http://127.0.0.1:8080/v1' },
  { name: 'vllm', wire: 'openai', url: 'http://127.0.0.1:8000/v1' },
];

/** A name as it stands before the slash of a ref. */
const namePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** The built-in providers as settings and environment change them, then the person's own, in the order of their say. */
export function readProviders(settings: ModelSettings, env: Environment): ProviderBook {
  const notices: string[] = [];
  const providers = new Map<string, Provider>();
  const own = settings.providers;
  for (const built of [...remote, ...local]) {
    const isProbed = local.includes(built);
    providers.set(built.name, makeProvider(built, own[built.name] ?? {}, env, isProbed, notices));
  }
  for (const [name, said] of Object.entries(own)) {
    if (providers.has(name)) continue;
    const provider = ownProvider(name, said, env, notices);
    if (provider) providers.set(name, provider);
  }
  return { providers, notices };
}

function makeProvider(
  built: BuiltIn,
  said: ProviderSettings,
  env: Environment,
  isProbed: boolean,
  notices: string[],
): Provider {
  const fromEnv = built.urlEnv === undefined ? '' : (env[built.urlEnv]?.trim() ?? '');
  const wanted = said.baseUrl ?? (fromEnv === '' ? undefined : fromEnv);
  const isGood = wanted === undefined || isAddress(wanted);
  const where = said.baseUrl === undefined ? built.urlEnv : undefined;
  const problem = isGood ? undefined : noAddress(built.name, where);
  if (problem !== undefined) notices.push(problem);
  const baseUrl =
    wanted === undefined || !isGood ? built.url : normalBaseUrl(said.wire ?? built.wire, wanted);
  const keyEnv = said.keyEnv ?? built.keyEnv;
  const isNamed = Object.keys(said).length > 0 || wanted !== undefined;
  return {
    name: built.name,
    wire: said.wire ?? built.wire,
    baseUrl,
    ...(problem === undefined ? {} : { problem }),
    key: keySource(said, keyEnv, env),
    needsKey: built.keyEnv !== undefined && baseUrl === built.url,
    isProbed,
    isNamed,
    models: said.models ?? [],
  };
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:/i.test(url.trim());
}

/** What was meant for one server must not go to another one; `where` the address stands: a variable, else the settings. */
function noAddress(name: string, where = `models.providers.${name}.baseUrl (settings.json)`): string {
  return `${where} holds no http address, so models of ${name} are not asked: correct or unset it, then restart with \`kairos daemon restart\`.`;
}

/** Never answers (RFC 2606), and is never asked. */
const noWhere = 'http://address.invalid/v1';

function ownProvider(
  name: string,
  said: ProviderSettings,
  env: Environment,
  notices: string[],
): Provider | null {
  const { wire, baseUrl, keyEnv, models = [] } = said;
  if (!namePattern.test(name) || wire === undefined || baseUrl === undefined) {
    notices.push(
      `settings.json: models.providers.${name} is ignored: it needs a name of a-z, 0-9, - and _, a wire and a baseUrl.`,
    );
    return null;
  }
  const problem = isAddress(baseUrl) ? undefined : noAddress(name);
  if (problem !== undefined) notices.push(problem);
  return {
    name,
    wire,
    baseUrl: problem === undefined ? normalBaseUrl(wire, baseUrl) : noWhere,
    ...(problem === undefined ? {} : { problem }),
    key: keySource(said, keyEnv, env),
    needsKey: keyEnv !== undefined,
    isProbed:
      problem === undefined && isLoopback(baseUrl) && keyEnv === undefined && said.keyCommand === undefined,
    isNamed: true,
    models,
  };
}

function keySource(
  { keyCommand }: ProviderSettings,
  keyEnv: string | undefined,
  env: Environment,
): KeySource {
  if (keyCommand !== undefined) return { from: 'command', command: keyCommand };
  if (keyEnv === undefined) return { from: 'none' };
  return { from: 'environment', name: keyEnv, isSet: (env[keyEnv]?.trim() ?? '') !== '' };
}

/** True when the provider's key is there or can be asked for. */
export function hasKey({ key }: Provider): boolean {
  return key.from === 'command' || (key.from === 'environment' && key.isSet);
}
