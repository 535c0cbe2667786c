import type { LanguageModel } from 'ai';
import type { ModelChoice } from '../../../../shared/domain/models.ts';
import type { Watch } from './watched-fetch.ts';

type Value = number | string | boolean | Readonly<Record<string, number | string>>;

/** What differs from wire to wire. */
export interface WireKit {
  model(choice: ModelChoice, secret: string | null, fetch: Watch['fetch']): LanguageModel;
  /** The SDK's options of one request; `thinkingTokens` 0: do not think. */
  options(thinkingTokens: number): Record<string, Record<string, Value>>;
  /** The SDK adds thinking to the output limit that it is given. */
  readonly thinkingIsExtra: boolean;
}
