import type { Usage } from '../../../../shared/domain/messages.ts';
import { costOf, type ModelChoice } from '../../../../shared/domain/models.ts';
import type { SdkPiece } from '../wire/sdk-types.ts';

type Finish = Extract<SdkPiece, { type: 'finish' }>;

/** More than any model reads or writes in one request; a server that tells more is wrong. */
const mostTokens = 20_000_000;

/** Tokens that a server does not tell count as none. What it tells never gives money back, and never more than can be counted. */
export function usageOf({ inputTokens: sent, outputTokens }: Finish['usage'], { price }: ModelChoice): Usage {
  const [cacheReadTokens, cacheWriteTokens] = [counted(sent.cacheRead), counted(sent.cacheWrite)];
  const tokens = {
    inputTokens: counted(sent.noCache ?? counted(sent.total) - cacheReadTokens - cacheWriteTokens),
    outputTokens: counted(outputTokens.total),
    cacheReadTokens,
    cacheWriteTokens,
  };
  return { ...tokens, microUsd: costOf(tokens, price) };
}

function counted(told: number | undefined): number {
  return told === undefined || Number.isNaN(told) ? 0 : Math.min(mostTokens, Math.max(0, Math.ceil(told)));
}
