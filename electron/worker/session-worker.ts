import type { Clock, Ids } from '../../shared/base/ports.ts';
import type { Runner } from '../../shared/domain/runner.ts';
import type { Lease } from '../../shared/protocol/worker-link.ts';
import { createAgentLoop } from './agent/agent-loop.ts';
import type { ModelPort, SessionPort } from './agent/ports.ts';
import { createModel } from './model/create-model.ts';
import { buildFrame } from './tools/frame.ts';
import { createSessionTools } from './tools/session-tools.ts';
import { allTools } from './tools/tool-table.ts';

type Variables = Readonly<Record<string, string>>;

/** What the runners of this worker share; `run` marks the processes of this daemon's run. */
export interface RunnerParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly run: string | undefined;
}

/** The built-in runner of a leased session: its model, its tools, its frame. */
export function sessionRunner(
  lease: Lease,
  port: Pick<SessionPort, 'ask'>,
  { clock, ids, run }: RunnerParts,
): Runner<SessionPort> {
  const tools = createSessionTools(allTools, {
    dir: lease.dir,
    scratch: lease.scratch,
    environment: shellEnvironment(lease, port, run),
    clock,
    ids,
  });
  const frame = buildFrame({
    model: lease.model,
    brief: lease.brief,
    build: 'session-worker-1',
    tools: allTools,
  });
  return createAgentLoop({ model: sessionModel(lease, port, { clock, ids }), tools, frame });
}

/** Loads what the model needs while the first step is being asked for. */
function sessionModel(
  lease: Lease,
  port: Pick<SessionPort, 'ask'>,
  { clock, ids }: Pick<RunnerParts, 'clock' | 'ids'>,
): ModelPort {
  return createModel({
    choices: lease.models,
    secrets: lease.secrets,
    refresh: (refused) => port.ask('refreshCredential', refused),
    clock,
    chance: () => Number.parseInt(ids.random(4), 16) / 2 ** 32,
  });
}

/** Asked for once, by the first tool that needs it, so that nothing else waits for a slow login shell. */
function shellEnvironment(
  lease: Lease,
  port: Pick<SessionPort, 'ask'>,
  run: string | undefined,
): () => Promise<Variables> {
  const mark = run === undefined ? {} : { KAIROS_RUN: run };
  let asked: Promise<Variables> | null = null;
  return () => {
    asked ??= (
      lease.environment === null
        ? port.ask('environment', {}).then(({ variables }) => variables)
        : Promise.resolve(lease.environment)
    ).then((variables) => ({ ...variables, ...mark }));
    return asked;
  };
}
