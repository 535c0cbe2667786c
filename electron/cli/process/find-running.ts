import type { DaemonFile } from '../../../shared/protocol/bridge.ts';
import { type HomeWatch, watchHome } from '../bridge/home-watch.ts';
import { type Located, locateDaemon, unreachable } from '../bridge/locate.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { answersHealth, awaitReady } from './await-ready.ts';

/** A daemon that is busy may take this long to answer, one that is stopping this long to go, ms. */
const settleWithinMs = 5_000;
const lookAgainMs = 50;

function stillThere(context: CliContext, located: Located): CommandFailure {
  if (located.kind !== 'running') return unreachable(located);
  const { pid, url } = located.daemon;
  const message = `Process ${pid} holds the state directory "${context.home.home}" but does not answer at ${url}.`;
  return new CommandFailure(exit.failed, message, 'Stop it with: kairos daemon stop');
}

function isComingUp(located: Located): boolean {
  if (located.kind !== 'starting') return false;
  const { state } = located.supervisor;
  return state !== 'stopping' && state !== 'stopped' && state !== 'failed';
}

async function settle(context: CliContext, watch: HomeWatch): Promise<DaemonFile | undefined> {
  const until = context.clock.monotonic() + settleWithinMs;
  for (;;) {
    const located = await locateDaemon(context.home);
    const left = until - context.clock.monotonic();
    if (located.kind === 'absent') return undefined;
    if (located.kind === 'damaged') throw unreachable(located);
    if (isComingUp(located)) return awaitReady(context);
    if (located.kind === 'running' && (await answersHealth(context, located.daemon, Math.max(1, left)))) {
      return located.daemon;
    }
    if (left <= 0) throw stillThere(context, located);
    await watch.change(Math.min(lookAgainMs, left));
  }
}

/**
 * The daemon that a start would attach to, waiting for one that is coming up and for one that is going; undefined when nothing
 * runs on this home. Throws CommandFailure when something runs that cannot be used, and says who it is.
 */
export async function findRunning(context: CliContext): Promise<DaemonFile | undefined> {
  const watch = watchHome(context.home, context.clock);
  try {
    return await settle(context, watch);
  } catch (error) {
    // The supervisor that was bringing it up ended: nothing is in the way of a start any more.
    const gone = error instanceof CommandFailure && error.exit === exit.noDaemon;
    if (gone && (await locateDaemon(context.home)).kind === 'absent') return undefined;
    throw error;
  } finally {
    watch.close();
  }
}
