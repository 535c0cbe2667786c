import type { Usage } from '../../../../shared/domain/messages.ts';
import { costOf, type ModelChoice } from '../../../../shared/domain/models.ts';
import type { SdkPiece } from '../wire/sdk-types.ts';

type Finish = Extract<SdkPiece, { type: 'finish' }>;

/** Tokens that a server does not tell count as none. */
export function usageOf({ inputTokens: sent, outputTokens }: Finish['usage'], { price }: ModelChoice): Usage {
  const [cacheReadTokens, cacheWriteTokens] = [sent.cacheRead ?? 0, sent.cacheWrite ?? 0];
  const tokens = {
    inputTokens: sent.noCache ?? Math.max(0, (sent.total ?? 0) - cacheReadTokens - cacheWriteTokens),
    outputTokens: outputTokens.total ?? 0,
    cacheReadTokens,
    cacheWriteTokens,
  };
  return { ...tokens, microUsd: costOf(tokens, price) };
}
