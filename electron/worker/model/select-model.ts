import type { ModelPort } from '../agent/ports.ts';
import { offlineModel } from './offline/interpret.ts';
import { offlineEngine } from './offline/offline-model.ts';

/** The model of that name. One that this build has not is a port with a problem, so that its session is parked and told. */
export function selectModel(name: string): ModelPort {
  return name === offlineModel ? offlineEngine : unavailable(name);
}

function unavailable(name: string): ModelPort {
  const reason = `The model "${name}" is not available: this version has only the offline engine. Start the daemon with KAIROS_MODEL=offline, or set the session's model to "offline", then take the session up again.`;
  return {
    contextNeed: 'all',
    repeatLimit: null,
    problem: { code: 'model_unavailable', reason },
    request: async () => {
      throw new Error(reason);
    },
  };
}
