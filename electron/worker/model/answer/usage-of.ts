import type { Usage } from '../../../../shared/domain/messages.ts';
import { costOf, type ModelChoice } from '../../../../shared/domain/models.ts';
import type { Told } from '../wire/mend-usage.ts';
import type { SdkPiece } from '../wire/sdk-types.ts';

type Finish = Extract<SdkPiece, { type: 'finish' }>;

/** About how many tokens a request and its answer had, for counts that its server did not tell. */
export interface Estimate {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * What a request cost. Counts that its server told in a form that can be used hold, the others are estimated and marked so.
 * What it tells never gives money back.
 */
export function usageOf(
  { inputTokens: sent, outputTokens }: Finish['usage'],
  { price, maxOutputTokens }: ModelChoice,
  told: Readonly<Told>,
  estimate: Estimate,
): Usage {
  const [cacheReadTokens, cacheWriteTokens] = [counted(sent.cacheRead), counted(sent.cacheWrite)];
  const cached = cacheReadTokens + cacheWriteTokens;
  const tokens = {
    inputTokens: told.input
      ? counted(sent.noCache ?? counted(sent.total) - cached)
      : Math.max(0, estimate.inputTokens - cached),
    outputTokens: told.output
      ? counted(outputTokens.total)
      : Math.min(maxOutputTokens, estimate.outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
  };
  const estimated = told.input && told.output ? {} : { estimated: true };
  return { ...tokens, microUsd: costOf(tokens, price), ...estimated };
}

function counted(told: number | undefined): number {
  return told === undefined || Number.isNaN(told) ? 0 : Math.max(0, Math.ceil(told));
}
