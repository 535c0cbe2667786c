import type { Clock, Ids } from '../../shared/base/ports.ts';
import type { Runner } from '../../shared/domain/runner.ts';
import type { Lease } from '../../shared/protocol/worker-link.ts';
import { createAgentLoop } from './agent/agent-loop.ts';
import type { SessionPort } from './agent/ports.ts';
import { selectModel } from './model/select-model.ts';
import { shellEnvironment } from './tools/bash.ts';
import { buildFrame } from './tools/frame.ts';
import { createSessionTools } from './tools/session-tools.ts';
import { allTools } from './tools/tool-table.ts';

/** The built-in runner of a leased session: its model, its tools, its frame. `run` marks the processes of this daemon's run. */
export function sessionRunner(
  lease: Lease,
  { clock, ids, run }: { readonly clock: Clock; readonly ids: Ids; readonly run: string | undefined },
): Runner<SessionPort> {
  const environment = shellEnvironment(lease.environment, run);
  const tools = createSessionTools(allTools, {
    dir: lease.dir,
    scratch: lease.scratch,
    environment,
    clock,
    ids,
  });
  const frame = buildFrame({ model: lease.model, build: 'session-worker-1', tools: allTools });
  return createAgentLoop({ model: selectModel(lease.model), tools, frame });
}
