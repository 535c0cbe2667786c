import { boundary } from '../../node/boundary.ts';
import type { ModelPort } from '../agent/ports.ts';
import { offlineModel } from './offline/interpret.ts';
import { offlineEngine } from './offline/offline-model.ts';

/** The model of that name. One that this build has not is a port with a problem, so that its session is parked and told. */
export function selectModel(name: string): ModelPort {
  return crossing(name === offlineModel ? offlineEngine : unavailable(name));
}

/** Each request is a place to die for the crash suite, whichever model makes it. */
function crossing(model: ModelPort): ModelPort {
  return {
    ...model,
    async request(input) {
      boundary('model.request', 'before');
      const answer = await model.request(input);
      boundary('model.request', 'after');
      return answer;
    },
  };
}

function unavailable(name: string): ModelPort {
  const reason = `The model "${name}" is not available: this version has only the offline engine. Start the daemon with KAIROS_MODEL=offline, or set the session's model to "offline", then take the session up again.`;
  return {
    contextNeed: 'all',
    repeatLimit: null,
    problem: { code: 'model_unavailable', reason },
    limits: { ref: name, contextTokens: 200_000, maxOutputTokens: 8_192 },
    write: null,
    request: async () => {
      throw new Error(reason);
    },
  };
}
