import { isObject } from '../../../shared/base/json.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import type { ModelPrice } from '../../../shared/domain/models.ts';
import { askServer, type ServerAnswer } from './ask-server.ts';
import type { CredentialBook } from './credentials.ts';
import { hasKey, type Provider } from './providers.ts';

/** What a server's list says of a model besides its name. */
export interface ToldFacts {
  readonly contextTokens?: number;
  readonly price?: ModelPrice;
}

/** The models of a server in its order with what it tells of them, or one phrase why they are not known. */
export type ServerModels =
  | {
      readonly kind: 'listed';
      readonly models: readonly string[];
      readonly told: ReadonlyMap<string, ToldFacts>;
    }
  | {
      readonly kind: 'no_key' | 'key_refused' | 'unreachable' | 'no_list';
      readonly why: string;
    };

/** A local server answers at once or is not there. */
const probeMs = 500;
const listMs = 3_000;
/** A list is believed so long; a failure shorter. */
const listedForMs = 10 * 60_000;
const failedForMs = 15_000;
const mostModels = 500;

/** What lists are asked with. */
export interface ServerModelsPorts {
  readonly clock: Clock;
  readonly credentials: CredentialBook;
}

/** The lists of models that servers give, asked for when somebody wants to know, and kept a while. */
export class ServerModelLists {
  readonly #ports: ServerModelsPorts;
  readonly #known = new Map<string, { readonly until: number; readonly answer: Promise<ServerModels> }>();

  /** The newest list's, by provider; a list that is old still tells more than nothing. */
  readonly #told = new Map<string, ReadonlyMap<string, ToldFacts>>();

  constructor(ports: ServerModelsPorts) {
    this.#ports = ports;
  }

  /** Never rejects; at most 3 s, for local servers half a second. */
  of(provider: Provider): Promise<ServerModels> {
    const { clock } = this.#ports;
    const known = this.#known.get(provider.name);
    if (known && known.until > clock.monotonic()) return known.answer;
    const answer = this.#ask(provider);
    this.#known.set(provider.name, { until: clock.monotonic() + listedForMs, answer });
    return answer.then((said) => {
      if (said.kind === 'listed') this.#told.set(provider.name, said.told);
      else this.#known.set(provider.name, { until: clock.monotonic() + failedForMs, answer });
      return said;
    });
  }

  /** What the server's list said of a model, when it was asked before; asks nobody. */
  told(provider: string, model: string): ToldFacts | undefined {
    return this.#told.get(provider)?.get(model);
  }

  /** Forgets what was said about a server: the person asks for the truth as it is now. */
  forget(): void {
    this.#known.clear();
  }

  async #ask(provider: Provider): Promise<ServerModels> {
    if (provider.problem !== undefined) return { kind: 'unreachable', why: provider.problem };
    const { clock, credentials } = this.#ports;
    let key: string | null = null;
    if (hasKey(provider)) {
      const credential = await credentials.current(provider);
      if (credential.kind === 'refused') return { kind: 'no_key', why: credential.reason };
      key = credential.credential.value;
    } else if (provider.needsKey) return { kind: 'no_key', why: 'no key' };
    const timeoutMs = provider.isProbed ? probeMs : listMs;
    const path = provider.wire === 'anthropic' ? '/models?limit=200' : '/models';
    return readList(await askServer({ provider, path, key, timeoutMs, clock }));
  }
}

function readList(answer: ServerAnswer): ServerModels {
  switch (answer.kind) {
    case 'unreachable':
      return { kind: 'unreachable', why: answer.why };
    case 'timed_out':
      return { kind: 'unreachable', why: `no answer within ${answer.ms} ms` };
    default: {
      const { status, body } = answer;
      if (status === 401 || status === 403)
        return { kind: 'key_refused', why: `the key was refused (${status})` };
      const data = isObject(body) && Array.isArray(body.data) ? (body.data as readonly unknown[]) : null;
      if (status !== 200 || data === null)
        return { kind: 'no_list', why: `it gives no list of models (${status})` };
      const models = data.flatMap((entry) =>
        isObject(entry) && typeof entry.id === 'string' && /^\S{1,200}$/.test(entry.id)
          ? [{ id: entry.id, told: readTold(entry) }]
          : [],
      );
      const listed = models.slice(0, mostModels);
      const told = new Map(listed.map((model) => [model.id, model.told]));
      return { kind: 'listed', models: listed.map(({ id }) => id), told };
    }
  }
}

/** As OpenRouter writes it: `context_length`, and dollars per token as text; others tell nothing. */
function readTold({ context_length: context, pricing }: Record<string, unknown>): ToldFacts {
  const contextTokens = Number.isSafeInteger(context) && Number(context) > 0 ? Number(context) : null;
  const prices = isObject(pricing) ? pricing : {};
  const [input, output] = [perMillion(prices.prompt), perMillion(prices.completion)];
  const cacheRead = perMillion(prices.input_cache_read) ?? input;
  const cacheWrite = perMillion(prices.input_cache_write) ?? input;
  return {
    ...(contextTokens === null ? {} : { contextTokens }),
    ...(input === null || output === null || cacheRead === null || cacheWrite === null
      ? {}
      : { price: { input, output, cacheRead, cacheWrite } }),
  };
}

/** Below zero means that it depends. */
function perMillion(dollars: unknown): number | null {
  const price = typeof dollars === 'string' && dollars.trim() !== '' ? Number(dollars) * 1e6 : Number.NaN;
  return Number.isFinite(price) && price >= 0 ? Number(price.toFixed(6)) : null;
}
