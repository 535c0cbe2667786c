import type { ModelChoice } from '../../../../shared/domain/models.ts';
import type { SdkCall, SdkModel } from './sdk-types.ts';
import type { Watch } from './watched-fetch.ts';

/** What differs from wire to wire. */
export interface WireKit {
  model(choice: ModelChoice, secret: string | null, fetch: Watch['fetch']): SdkModel;
  /** The SDK's options of one request; `thinkingTokens` 0: do not think. */
  options(thinkingTokens: number): NonNullable<SdkCall['providerOptions']>;
  /** The SDK adds thinking to the output limit that it is given. */
  readonly thinkingIsExtra: boolean;
}
