import * as z from 'zod/mini';
import { modelPriceSchema } from './models.ts';

/** A day: more would be past what timers take. */
const mostMinutes = 24 * 60;
const seconds = z.number().check(z.positive(), z.lte(mostMinutes * 60));
const minutes = z.number().check(z.positive(), z.lte(mostMinutes));

/** A program and its arguments; no shell looks at them. */
const commandSchema = z.array(z.string()).check(z.minLength(1));

/** A provider as people describe it; of a built-in one only what differs. */
const providerSchema = z.object({
  wire: z.optional(z.enum(['anthropic', 'openai'])),
  /** Checked where providers are read: one that is wrong must not make the other settings of models void. */
  baseUrl: z.optional(z.string()),
  /** Name of the environment variable that holds its key. */
  keyEnv: z.optional(z.string()),
  /** Prints its key; run in the person's environment, at most 10 s, and again when the key is refused. */
  keyCommand: z.optional(commandSchema),
  /** Models that its server does not list. */
  models: z.optional(z.array(z.string())),
});
/** A provider as people describe it. */
export type ProviderSettings = z.infer<typeof providerSchema>;

/** What differs from the built-in facts about a model. */
const modelFactsSchema = z.object({
  contextTokens: z.optional(z.int().check(z.positive())),
  maxOutputTokens: z.optional(z.int().check(z.positive())),
  images: z.optional(z.boolean()),
  thinkingTokens: z.optional(z.int().check(z.gte(0))),
});
/** What is known of a model besides its price. */
export type ModelFacts = z.infer<typeof modelFactsSchema>;

/** Section `models` of the settings. */
export const modelSettingsSchema = z.object({
  /** `offline` or `<provider>/<model>`; null: chosen by keys and servers that are there. */
  default: z._default(z.nullable(z.string()), null),
  /** Models to fall over to, in order. */
  failover: z._default(z.array(z.string()), []),
  providers: z._default(z.record(z.string(), providerSchema), {}),
  /** By ref, or with `*` for any run of characters; null = unknown. They go before the built-in table. */
  prices: z._default(z.record(z.string(), z.nullable(modelPriceSchema)), {}),
  /** By ref or pattern, like `prices`. */
  overrides: z._default(z.record(z.string(), modelFactsSchema), {}),
  /** A running note per session is kept up to date by requests in the background, for when the conversation no longer fits. */
  sessionMemory: z._default(z.boolean(), true),
  /** Seconds until the first byte of an answer; a local server that loads a model first may need more. */
  firstByteSeconds: z._default(seconds, 60),
  /** Seconds between two pieces of an answer; signs of life count. */
  chunkSeconds: z._default(seconds, 120),
  /** Minutes of one whole answer. */
  requestMinutes: z._default(minutes, 15),
  /** Times that a failed request is made again before the next model is asked, or the session stops. */
  retries: z._default(z.int().check(z.gte(0), z.lte(100)), 7),
  /** Minutes of all the waits between them. */
  retryMinutes: z._default(z.number().check(z.gte(0), z.lte(mostMinutes)), 5),
});
/** Section `models` of the settings. */
export type ModelSettings = z.infer<typeof modelSettingsSchema>;
