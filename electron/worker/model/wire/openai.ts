import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { WireKit } from './wire-kit.ts';

/** Any server that speaks OpenAI's chat completions. */
export const openAiKit: WireKit = {
  model: ({ baseUrl, model }, secret, fetch) =>
    createOpenAICompatible({
      name: 'openai',
      baseURL: baseUrl,
      ...(secret === null ? {} : { apiKey: secret }),
      includeUsage: true,
      fetch,
      ...(isOpenAi(baseUrl) ? { transformRequestBody: newName } : {}),
    })(model),
  options: (thinkingTokens) =>
    thinkingTokens > 0 ? { openai: { reasoningEffort: effortFor(thinkingTokens) } } : {},
  thinkingIsExtra: false,
};

function isOpenAi(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com';
}

/** OpenAI's newer models refuse `max_tokens`; most other servers know nothing else. */
function newName({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: limit };
}

/** This wire knows only words. */
function effortFor(tokens: number): string {
  if (tokens < 4_000) return 'low';
  return tokens < 16_000 ? 'medium' : 'high';
}
