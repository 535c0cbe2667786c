import { boundary } from '../../node/boundary.ts';
import type { ModelChoice } from '../../../shared/domain/models.ts';
import type { ModelPort } from '../agent/ports.ts';
import { offlineEngine } from './offline/offline-model.ts';
import { createRemoteModel, type RemoteChoice, type RemoteParts } from './remote-model.ts';

/** What a session's model is made of. */
export interface ModelParts extends Omit<RemoteParts, 'choices'> {
  /** The session's model, then those to fall over to, in order; never empty. */
  readonly choices: readonly ModelChoice[];
}

/**
 * The model of a session. The offline engine answers alone: it takes lines as commands, so it never stands in for a model that
 * failed. One that this build has not is a port with a problem, so that its session is parked and told.
 */
export function createModel(parts: ModelParts): ModelPort {
  const remote = parts.choices.filter(isRemote);
  const [first] = parts.choices;
  if (first === undefined || !isRemote(first)) return crossing(offlineOr(first?.ref ?? ''));
  return crossing(createRemoteModel({ ...parts, choices: remote }, first));
}

function isRemote(choice: ModelChoice): choice is RemoteChoice {
  return choice.wire !== 'offline';
}

function offlineOr(ref: string): ModelPort {
  return ref === offlineEngine.limits.ref ? offlineEngine : unavailable(ref);
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
  const reason = `The model "${name}" is not known here. Set the session's model to one that \`kairos models\` lists, or to "offline", then take the session up again.`;
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
