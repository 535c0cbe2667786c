import { locateDaemon } from '../bridge/locate.ts';
import type { CliContext } from '../context.ts';

/** What becomes of a stored message that nobody waits for any more, and where to look. */
export interface Outlook {
  readonly what: string;
  readonly next: string;
}

/** Looks whether Kairos still runs: the agent goes on only then. */
export async function outlook(context: CliContext): Promise<Outlook> {
  const located = await locateDaemon(context.home);
  if (located.kind === 'absent')
    return {
      what: 'Kairos does not run any more; the message is kept',
      next: 'go on with: kairos daemon start',
    };
  if (located.kind === 'running' && located.daemon.safe !== null)
    return { what: 'Kairos is in safe mode; the message is kept', next: 'see: kairos doctor' };
  return { what: 'The agent goes on', next: 'see: kairos sessions' };
}
