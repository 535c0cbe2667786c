import type { ModelFacts } from '../../../shared/domain/model-settings.ts';
import type { ModelPrice } from '../../../shared/domain/models.ts';

/** What is known of models whose ref fits `match` (`*` = any run of characters). */
export interface KnownModel {
  readonly match: string;
  readonly price: ModelPrice | null;
  readonly facts: ModelFacts;
}

const price = (input: number, output: number, cacheRead: number, cacheWrite = input): ModelPrice => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

const claude = { contextTokens: 1_000_000, images: true };
const olderClaude = { contextTokens: 200_000, images: true };
/** Longer prompts cost more (from 272,000 tokens on): they are not made. */
const gpt = { contextTokens: 272_000, images: true };

/**
 * Prices in US dollars per million tokens and facts of the providers' own models, as of 2026-11: platform.claude.com
 * (docs/en/about-claude/pricing, docs/en/models/overview; 5-minute cache writes) and developers.openai.com
 * (api/docs/pricing, standard tier; cache writes cost what input costs unless told otherwise). A model that is not here has
 * no known price; `models.prices` and `models.overrides` of the settings go before this table.
 */
export const knownModels: readonly KnownModel[] = [
  { match: 'anthropic/claude-fable-5-1*', price: price(10, 50, 0.25, 12.5), facts: claude },
  { match: 'anthropic/claude-fable-5', price: price(10, 50, 1, 12.5), facts: claude },
  { match: 'anthropic/claude-opus-5-5*', price: price(4, 20, 0.2, 5), facts: claude },
  { match: 'anthropic/claude-opus-5', price: price(5, 25, 0.5, 6.25), facts: claude },
  { match: 'anthropic/claude-opus-4-8*', price: price(5, 25, 0.5, 6.25), facts: claude },
  { match: 'anthropic/claude-opus-4-7*', price: price(5, 25, 0.5, 6.25), facts: claude },
  { match: 'anthropic/claude-opus-4-6*', price: price(5, 25, 0.5, 6.25), facts: olderClaude },
  { match: 'anthropic/claude-opus-4-5*', price: price(5, 25, 0.5, 6.25), facts: olderClaude },
  { match: 'anthropic/claude-opus-4-1*', price: price(15, 75, 1.5, 18.75), facts: olderClaude },
  { match: 'anthropic/claude-opus-4-2*', price: price(15, 75, 1.5, 18.75), facts: olderClaude },
  { match: 'anthropic/claude-sonnet-5-5*', price: price(2, 10, 0.1, 2.5), facts: claude },
  { match: 'anthropic/claude-sonnet-5', price: price(2, 10, 0.2, 2.5), facts: claude },
  { match: 'anthropic/claude-sonnet-4*', price: price(3, 15, 0.3, 3.75), facts: olderClaude },
  // Prompts over 100,000 tokens cost five times as much: they are not made.
  {
    match: 'anthropic/claude-haiku-5-5*',
    price: price(0.1, 0.5, 0.01, 0.125),
    facts: { ...claude, contextTokens: 100_000 },
  },
  { match: 'anthropic/claude-haiku-4-5*', price: price(1, 5, 0.1, 1.25), facts: olderClaude },
  { match: 'anthropic/*', price: null, facts: olderClaude },
  { match: 'openai/gpt-6-astra*', price: price(10, 50, 1), facts: gpt },
  { match: 'openai/gpt-6-sol*', price: price(2, 10, 0.2, 2.5), facts: gpt },
  { match: 'openai/gpt-6-luna*', price: price(0.1, 0.5, 0.01, 0.125), facts: gpt },
  { match: 'openai/gpt-5.6-terra*', price: price(2, 12, 0.2), facts: gpt },
  { match: 'openai/gpt-5.6-luna*', price: price(0.2, 1.2, 0.02), facts: gpt },
  { match: 'openai/gpt-5.5-pro*', price: null, facts: gpt },
  { match: 'openai/gpt-5.5*', price: price(5, 30, 0.5), facts: gpt },
  { match: 'openai/gpt-5.4-mini*', price: price(0.75, 4.5, 0.075), facts: gpt },
  { match: 'openai/gpt-5.4-nano*', price: price(0.2, 1.25, 0.02), facts: gpt },
  { match: 'openai/gpt-5.4', price: price(2.5, 15, 0.25), facts: gpt },
  { match: 'openai/gpt-*', price: null, facts: { images: true } },
];

/** Which of a provider's models is taken when nobody named one: the first pattern that one fits, its highest version. */
export const preferredModels: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['claude-sonnet-*', 'claude-opus-*', 'claude-haiku-*', 'claude-*'],
  openai: ['gpt-6-sol', 'gpt-5.6-terra', 'gpt-5.5', 'gpt-5.4', 'gpt-*'],
  openrouter: ['anthropic/claude-sonnet-*', 'openrouter/auto'],
};

/** The model of a provider whose list cannot be had. */
export const fallbackModels: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6-sol',
  openrouter: 'openrouter/auto',
};
