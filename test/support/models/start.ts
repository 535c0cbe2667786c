import { anthropicWire } from './anthropic/wire.ts';
import { openAiWire } from './openai/wire.ts';
import { type Answer, type ModelServer, listen } from './server.ts';
import type { Wire } from './wire.ts';

/** The wires there are, for tests that run on each. */
export const wireNames = ['anthropic', 'openai'] as const;

/** Everything has a default; `apiKey: null` asks for no key, as local servers do. */
export interface ModelServerOptions {
  readonly answer?: Answer;
  readonly models?: readonly string[];
  readonly apiKey?: string | null;
  /** Shortest prefix that the prompt cache takes, tokens (1024). */
  readonly minCacheTokens?: number;
  /** Longest prompt, tokens (200,000). */
  readonly contextWindow?: number;
  readonly port?: number;
  /** Longest body (32 MB). */
  readonly maxBodyBytes?: number;
  /** Servers with the same seed take each other's thinking signatures: for a restart of "the same" server. */
  readonly signatureSeed?: string;
}

/** The models of a server that names none. */
export const defaultModels: readonly string[] = ['stand-in-large', 'stand-in-small'];

/** Starts a stand-in of a model API on a real port. */
export function startModelServer(name: Wire['name'], options: ModelServerOptions = {}): Promise<ModelServer> {
  const { minCacheTokens = 1024, signatureSeed, apiKey = 'stand-in-key' } = options;
  const wire =
    name === 'anthropic' ? anthropicWire({ minCacheTokens, signatureSeed }) : openAiWire({ minCacheTokens });
  return listen({
    wire,
    ground: {
      models: options.models ?? defaultModels,
      apiKey: apiKey ?? undefined,
      contextWindow: options.contextWindow ?? 200_000,
    },
    port: options.port ?? 0,
    maxBodyBytes: options.maxBodyBytes ?? 32 * 1024 * 1024,
  }).then((server) => {
    if (options.answer !== undefined) server.answerWith(options.answer);
    return server;
  });
}
