import { errorCode } from '../../../shared/base/errors.ts';
import { type HomeProcesses, homeProcesses } from './home-processes.ts';
import { waitForExit } from '../../node/wait-for-exit.ts';
import { sendRequest } from '../bridge/http.ts';
import { locateDaemon } from '../bridge/locate.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure, noDaemon } from '../failure.ts';

/** A bridge that has not heard the request by then is passed by, ms. */
const hearWithinMs = 5_000;
/** The supervisor gives the daemon 10 s and kills it then, ms. */
const endWithinMs = 15_000;
const killWithinMs = 5_000;

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

async function askBridge(context: CliContext): Promise<boolean> {
  const located = await locateDaemon(context.home);
  if (located.kind !== 'running') return false;
  const abort = new AbortController();
  const cancel = context.clock.after(hearWithinMs, () => abort.abort());
  try {
    const request = { method: 'POST', path: '/daemon/stop', repeatable: true } as const;
    const outcome = await sendRequest(located.daemon, request, abort.signal);
    if (outcome.kind === 'none') return false;
    outcome.response.resume();
    outcome.response.on('error', () => undefined);
    return (outcome.response.statusCode ?? 500) < 300;
  } finally {
    cancel();
  }
}

async function allGone(context: CliContext, processes: HomeProcesses, withinMs: number): Promise<boolean> {
  const targets = [processes.daemon, processes.supervisor].flatMap((target) => target ?? []);
  const gone = await Promise.all(targets.map((target) => waitForExit(target, withinMs, context.clock)));
  return gone.every((answer) => answer);
}

/** Signals the supervisor, which stops the daemon in order; without one the daemon itself. */
function terminate(processes: HomeProcesses): void {
  const target = processes.supervisor ?? processes.daemon;
  if (target !== undefined) signal(target.pid, 'SIGTERM');
}

/**
 * Stops the daemon of this home and its supervisor and waits until both are gone: over the bridge, else by signal.
 * Throws CommandFailure: 3 when nothing runs, 4 when something is still there.
 */
export async function stopDaemon(context: CliContext): Promise<HomeProcesses> {
  const processes = await homeProcesses(context.home);
  if (processes.daemon === undefined && processes.supervisor === undefined) throw noDaemon();
  if (!(await askBridge(context))) terminate(processes);
  if (await allGone(context, processes, endWithinMs)) return processes;
  terminate(processes);
  if (await allGone(context, processes, killWithinMs)) return processes;
  const names = [processes.daemon, processes.supervisor].flatMap((target) => target?.pid ?? []);
  const message = `Kairos did not stop in time; its processes are ${names.join(' and ')}.`;
  throw new CommandFailure(exit.timedOut, message, `End them with: kill -9 ${names.join(' ')}`);
}
