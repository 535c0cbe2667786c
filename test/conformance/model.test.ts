import { offlineChoice } from '../../shared/domain/models.ts';
import { systemClock } from '../../electron/node/clock.ts';
import { createModel } from '../../electron/worker/model/create-model.ts';
import { createMind } from '../support/models/mind.ts';
import { call } from '../support/models/script.ts';
import { startModelServer, wireNames } from '../support/models/start.ts';
import { choiceFor, rig } from '../worker/model/support/model-rig.ts';
import { type ModelSubject, modelConformance } from './model-conformance.ts';

for (const wire of wireNames) {
  modelConformance(wire, async (): Promise<ModelSubject> => {
    const mind = createMind();
    mind
      .when(/run echo hi/)
      .calls(call('Bash', { command: 'echo hi' }))
      .replies({ kind: 'calls', calls: [call('SendUserMessage', { message: 'It said: hi' })] })
      .replies();
    const server = await startModelServer(wire, { answer: mind.answer });
    const choice = choiceFor(server);
    const { model } = rig({ choices: [choice] });
    return {
      model,
      ref: choice.ref,
      price: choice.price,
      bodies: () => server.requests.map(({ body }) => body),
      close: () => server.close(),
    };
  });
}

modelConformance('offline engine', async () => ({
  model: createModel({
    choices: [offlineChoice],
    secrets: {},
    refresh: async () => ({ kind: 'refused', reason: 'none' }),
    clock: systemClock,
    chance: () => 0,
  }),
  ref: 'offline',
  price: null,
  bodies: () => null,
  close: async () => undefined,
}));
