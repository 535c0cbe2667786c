import { type ModelSource, offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { type ModelChoice, offlineChoice } from '../../../shared/domain/models.ts';

/** A model that costs a tenth of a cent per 10 tokens and has room for a few lines. */
export const pricedChoice: ModelChoice = {
  ...offlineChoice,
  ref: 'priced',
  wire: 'openai',
  contextTokens: 500,
  maxOutputTokens: 120,
  price: { input: 100, output: 100, cacheRead: 100, cacheWrite: 100 },
};

const choiceOf = (ref: string): ModelChoice =>
  ref === pricedChoice.ref ? pricedChoice : { ...offlineChoice, ref };

/** Every name of a plan's model is usable; the simulated worker makes it by that name. */
export const simModels: ModelSource = {
  ...offlineOnly,
  choice: choiceOf,
  forLease: async (ref) => ({ kind: 'usable', models: [choiceOf(ref)], secrets: {} }),
  checkRef: (ref) => ref,
};
