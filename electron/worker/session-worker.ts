import { dirname } from 'node:path';
import type { Clock, Ids } from '../../shared/base/ports.ts';
import type { Runner } from '../../shared/domain/runner.ts';
import type { Lease } from '../../shared/protocol/worker-link.ts';
import { buildId } from '../node/product-version.ts';
import { warmShell } from '../node/shell-syntax/parse-shell.ts';
import { createAgentLoop } from './agent/agent-loop.ts';
import type { ModelPort, SessionPort } from './agent/ports.ts';
import { withTasks } from './agent/with-tasks.ts';
import { toolsOfSession } from './frame/hot-set.ts';
import { sessionFrame } from './frame/session-frame.ts';
import { SessionHooks, type HookTerms } from './hooks/session-hooks.ts';
import { withSessionEnd } from './hooks/with-session-end.ts';
import { createModel } from './model/create-model.ts';
import { limitsOf } from './model/limits.ts';
import { createSessionTools } from './tools/session-tools.ts';
import { TaskBook } from './tools/tasks/task-book.ts';
import { SessionSandbox } from './sandbox/session-sandbox.ts';
import { allTools } from './tools/tool-table.ts';
import { webSearchTool } from './tools/web/web-search.ts';
import { warmingShell } from './warm-shell.ts';
import { webSearcher } from './web-searcher.ts';

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
  port: Pick<SessionPort, 'ask' | 'background' | 'interrupt'> & { readonly hooked: HookTerms },
  { clock, ids, run }: RunnerParts,
): Runner<SessionPort> {
  const { scratch, tasks: limits = defaultTaskLimits } = lease;
  const tasks = new TaskBook({ scratch, clock, ids, port, limits });
  const model = sessionModel(lease, port, { clock, ids });
  const find = webSearcher(model, port, { webSearch: lease.webSearch, clock });
  const own = find === null ? allTools : [...allTools, webSearchTool(find)];
  const { offered, callable } = toolsOfSession(own, lease.brief);
  const environment = shellEnvironment(lease, port, run);
  const tools = createSessionTools(callable, {
    dir: lease.dir,
    scratch: lease.scratch,
    tasks,
    home: dirname(dirname(lease.scratch)),
    environment,
    sandbox: new SessionSandbox({
      config: () => port.ask('sandbox', {}),
      home: dirname(dirname(lease.scratch)),
      scratch: lease.scratch,
      ids,
    }),
    clock,
    ids,
    putBlob: async (bytes) => {
      const { hash } = await port.ask('putBlob', { base64: Buffer.from(bytes).toString('base64') });
      return hash;
    },
    keepFile: (path) => port.ask('putFile', { path }),
    history: { search: (wanted) => port.ask('searchTranscripts', wanted) },
  });
  const frames = sessionFrame({ lease, build: buildId(), offered });
  const hooks = new SessionHooks({
    session: { session: lease.session, name: lease.name, dir: lease.dir },
    begins: lease.hooks?.begins ?? 'resume',
    terms: () => port.hooked,
    environment,
    ask: (verb, input) => port.ask(verb, input),
    clock,
  });
  const loop = createAgentLoop({ model, tools, frames, hooks });
  return withSessionEnd(withTasks(loop, tasks, port), hooks, port);
}

const defaultTaskLimits = { most: 8, limitMs: 24 * 3_600_000 };

/** Loads what the model needs while the first step is being asked for. */
function sessionModel(
  lease: Lease,
  port: Pick<SessionPort, 'ask'>,
  { clock, ids }: Pick<RunnerParts, 'clock' | 'ids'>,
): ModelPort {
  const { requests } = lease;
  const model = createModel({
    ...(requests === undefined ? {} : { times: requests, limits: limitsOf(requests) }),
    choices: lease.models,
    secrets: lease.secrets,
    nativeSearch: lease.webSearch?.native ?? null,
    refresh: (refused) => port.ask('refreshCredential', refused),
    clock,
    chance: () => Number.parseInt(ids.random(4), 16) / 2 ** 32,
  });
  return warmingShell(model, warmShell, clock);
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
