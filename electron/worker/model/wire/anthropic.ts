import { createAnthropic } from '@ai-sdk/anthropic';
import type { WireKit } from './wire-kit.ts';

/** Anthropic's Messages API. A key is always given, so that none is taken from the environment. */
export const anthropicKit: WireKit = {
  model: ({ baseUrl, model }, secret, fetch) =>
    createAnthropic({ baseURL: baseUrl, apiKey: secret ?? '', fetch })(model),
  options: (thinkingTokens) => ({
    anthropic: {
      // Inputs that stream by the character are not checked by the server, and cost a field per tool.
      toolStreaming: false,
      ...(thinkingTokens > 0 ? { thinking: { type: 'enabled', budgetTokens: thinkingTokens } } : {}),
    },
  }),
  thinkingIsExtra: true,
};
