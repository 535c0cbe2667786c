import { canonicalJson } from '../../../shared/base/json.ts';
import { fixedFrames, sampleFrame } from '../sample-frame.ts';
import { createAgentLoop } from '../../../electron/worker/agent/agent-loop.ts';
import type { ModelPort, SessionPort, ToolPort } from '../../../electron/worker/agent/ports.ts';
import { inputLimit } from '../../../electron/worker/agent/tokens.ts';
import { withTasks } from '../../../electron/worker/agent/with-tasks.ts';
import { offlineEngine } from '../../../electron/worker/model/offline/offline-model.ts';
import type { Runner } from '../../../shared/domain/runner.ts';
import type { Lease } from '../../../shared/protocol/worker-link.ts';
import { createScriptedRunner } from '../scripted-runner.ts';
import { pricedModel } from './priced-model.ts';
import { SimTasks } from './sim-tasks.ts';
import { simTools } from './sim-tools.ts';
import { wildModel, wildReply } from './wild-model.ts';
import type { WorkerPlace } from './worker-place.ts';

/** The runner of a leased session: the built-in loop with the offline engine, a wild or a priced model, or the one with an opaque context. */
export function simRunner(place: WorkerPlace, lease: Lease, port: SessionPort): Runner<SessionPort> {
  const tasks = new SimTasks(place, lease.session, port);
  const tools = place.sabotageTools(simTools(place, lease.session, tasks));
  return withTasks(bareRunner(place, lease, tools), tasks, port);
}

function bareRunner(place: WorkerPlace, lease: Lease, tools: ToolPort): Runner<SessionPort> {
  const frames = fixedFrames(sampleFrame(`frame of ${lease.model}`, lease.model));
  const loop = (model: ModelPort): Runner<SessionPort> =>
    createAgentLoop({ model: observed(place, lease, model), tools, frames });
  switch (lease.model) {
    case 'offline':
      return loop(offlineEngine);
    case 'wild':
      return loop(wildModel);
    case 'priced':
      return loop(pricedModel(place, lease.session));
    default:
      return scripted(place, lease, tools);
  }
}

/** The runner with a context of its own; it says itself when a lease brings another context than it stored. */
function scripted(place: WorkerPlace, { session, frame }: Lease, tools: ToolPort): Runner<SessionPort> {
  return createScriptedRunner({
    tools,
    vault: place.vault,
    reply: ({ step, messages }) => {
      place.ledgers.requests.push({
        session,
        step,
        repeated: false,
        need: 'turn',
        room: null,
        lastEvent: place.ledgers.lastEvent,
        frame: frame ?? '',
        messages,
      });
      return wildReply(step, messages);
    },
  });
}

/** Writes down what a model was asked, lets others go first, and can be down. */
function observed(place: WorkerPlace, lease: Lease, model: ModelPort): ModelPort {
  return {
    ...model,
    async request(input) {
      const { step, repeated, frame, messages } = input;
      const copy = [...messages];
      place.ledgers.requests.push({
        session: lease.session,
        step,
        repeated,
        need: model.contextNeed,
        room: inputLimit(model.limits),
        lastEvent: place.ledgers.lastEvent,
        frame: canonicalJson(frame),
        messages: copy,
      });
      await place.point('model.before');
      if (place.faults.modelDown) {
        place.faults.modelDown = false;
        place.ledgers.modelFailures += 1;
        throw new Error('the model is down');
      }
      const answer = await model.request(input);
      await place.point('model.after');
      return answer;
    },
  };
}
