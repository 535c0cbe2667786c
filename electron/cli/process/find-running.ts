import type { DaemonFile } from '../../../shared/protocol/bridge.ts';
import { locateDaemon, unreachable } from '../bridge/locate.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { answersHealth, awaitReady } from './await-ready.ts';

/** A daemon that is busy may take this long to answer, ms. */
const answerWithinMs = 5_000;

/**
 * The daemon that a start would attach to, waiting for one that is coming up; undefined when nothing runs on this home.
 * Throws CommandFailure when something runs that cannot be used, and says who it is.
 */
export async function findRunning(context: CliContext): Promise<DaemonFile | undefined> {
  const located = await locateDaemon(context.home);
  switch (located.kind) {
    case 'absent':
      return undefined;
    case 'starting':
      return awaitReady(context);
    case 'damaged':
      throw unreachable(located);
    case 'running': {
      if (await answersHealth(context, located.daemon, answerWithinMs)) return located.daemon;
      const { pid, url } = located.daemon;
      const message = `Process ${pid} holds the state directory "${context.home.home}" but does not answer at ${url}.`;
      throw new CommandFailure(exit.failed, message, 'Stop it with: kairos daemon stop');
    }
  }
}
