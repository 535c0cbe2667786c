import type { ModelSettings } from '../../shared/domain/model-settings.ts';
import type { ProblemPort } from '../../shared/domain/problems.ts';
import { systemClock } from '../node/clock.ts';
import type { LoginEnvironment } from '../node/login-environment.ts';
import { runMarker } from './compose-parts.ts';
import { keyCommandRunner } from './models/key-command.ts';
import { Models } from './models/models.ts';
import { settingsChanges } from './settings/change-settings.ts';
import type { BridgeCommands } from './viewers/ports.ts';

/** What the models of a running daemon are made of. */
export interface ModelParts {
  readonly settings: ModelSettings;
  readonly settingsFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's environment, for their key programs. */
  readonly login: () => Promise<LoginEnvironment>;
  /** Marks what the daemon starts, for the sweep of the next start. */
  readonly mark: string;
}

/** The models of this installation; asks nobody before somebody needs it. */
export function makeModels({ settings, settingsFile, env, login, mark }: ModelParts): Models {
  const changes = settingsChanges(settingsFile);
  const environment = async () => ({ ...(await login()).env, [runMarker]: mark });
  return new Models({
    settings,
    env,
    clock: systemClock,
    runKeyCommand: keyCommandRunner({ clock: systemClock, environment }),
    storeDefault: (ref) => changes.set('models', 'default', ref),
  });
}

const mendSettings = 'Correct settings.json or the variable, then: kairos daemon restart';

/** What is wrong with models before anybody uses one. */
export function tellOfModels(models: Models, problems: ProblemPort): void {
  for (const [index, notice] of models.notices.entries())
    problems.set(`models:${index}`, notice, mendSettings);
  const problem = models.configuredProblem();
  const from =
    models.configured()?.from === 'KAIROS_MODEL' ? 'KAIROS_MODEL' : 'models.default in settings.json';
  if (problem !== null) problems.set('model', problem, `It is named by ${from}. See: kairos models`);
}

/** The models behind the bridge; a default that was set ends what was wrong with the one before. */
export function modelCommands(
  models: Models,
  problems: ProblemPort,
): Pick<BridgeCommands, 'models' | 'testModel' | 'setDefaultModel'> {
  return {
    models: () => models.list(),
    testModel: (ref) => models.test(ref),
    setDefaultModel: async (ref) => {
      const answer = await models.setDefault(ref);
      if (answer.note === null) problems.clear('model');
      return answer;
    },
  };
}
