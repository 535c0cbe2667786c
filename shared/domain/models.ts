import * as z from 'zod/mini';
import type { Usage } from './messages.ts';

/** US dollars per million tokens; what is unknown costs nothing and is shown as unknown. */
export const modelPriceSchema = z.object({
  input: z.number().check(z.gte(0)),
  output: z.number().check(z.gte(0)),
  cacheRead: z.number().check(z.gte(0)),
  cacheWrite: z.number().check(z.gte(0)),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** The HTTP wire a model is spoken to over; `offline` is the built-in engine. */
export const modelWireSchema = z.enum(['offline', 'anthropic', 'openai']);
export type ModelWire = z.infer<typeof modelWireSchema>;

/** A model as a worker uses it; made by the daemon from settings, environment and what it found on this machine. */
export const modelChoiceSchema = z.object({
  /** `offline` or `<provider>/<model>`: what people write and the log says. */
  ref: z.string(),
  wire: modelWireSchema,
  /** Its name on the wire; empty for the offline engine. */
  model: z.string(),
  /** Address the wire's paths are added to, such as `https://api.anthropic.com/v1`; empty for the offline engine. */
  baseUrl: z.string(),
  /** Name of its credential among the lease's secrets; null: it needs none. */
  credential: z.nullable(z.string()),
  /** Tokens that request and reply share. */
  contextTokens: z.number(),
  maxOutputTokens: z.number(),
  /** It reads images. */
  images: z.boolean(),
  /** Tokens it may think before it answers; 0 = not asked to. */
  thinkingTokens: z.number(),
  price: z.nullable(modelPriceSchema),
});
export type ModelChoice = z.infer<typeof modelChoiceSchema>;

/** The offline engine as a choice. */
export const offlineChoice: ModelChoice = {
  ref: 'offline',
  wire: 'offline',
  model: '',
  baseUrl: '',
  credential: null,
  contextTokens: 1_000_000,
  maxOutputTokens: 8_192,
  images: false,
  thinkingTokens: 0,
  price: null,
};

/** What decided the model of new sessions, for people; `from` as the daemon names it. */
export function defaultFromWords(from: string): string {
  return from === 'nothing else' ? 'no key and no model server was found' : `decided by ${from}`;
}

/** A secret that a worker holds in memory; `version` tells a refreshed one from the one that was refused. */
export const credentialSchema = z.object({ value: z.string(), version: z.number() });
export type Credential = z.infer<typeof credentialSchema>;

/** A thousand million dollars: sums of it still are whole numbers, whatever price somebody wrote. */
const mostMicroUsd = 1e15;

/** What tokens cost, in millionths of a US dollar (tokens x dollars per million tokens), not rounded. */
export function costOf(tokens: Omit<Usage, 'microUsd'>, price: ModelPrice | null): number {
  if (price === null) return 0;
  const cost =
    tokens.inputTokens * price.input +
    tokens.outputTokens * price.output +
    tokens.cacheReadTokens * price.cacheRead +
    tokens.cacheWriteTokens * price.cacheWrite;
  return Math.min(mostMicroUsd, cost);
}
