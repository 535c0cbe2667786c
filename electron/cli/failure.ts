import { KairosError } from '../../shared/base/errors.ts';
import { type ExitCode, exit } from './exit.ts';

/** Ends a command: one sentence for stderr, what to do next (null: nothing is to be done), and the exit code. */
export class CommandFailure extends KairosError {
  readonly exit: ExitCode;

  constructor(exitCode: ExitCode, message: string, next: string | null, cause?: unknown) {
    super(`cli-exit-${exitCode}`, message, { ...(next === null ? {} : { next }), cause });
    this.name = 'CommandFailure';
    this.exit = exitCode;
  }
}

/** What to do about a daemon of another version, or one that cannot be understood. */
export const restartIt = 'Restart it with: kairos daemon restart';

/** What to do about a copy of Kairos that lacks programs. */
export const buildIt = 'Run "npm run build", or install Kairos again.';

/** A wrong command line: exit code 2. */
export function usageFailure(message: string, next: string): CommandFailure {
  return new CommandFailure(exit.usage, message, next);
}

/** Nothing runs on this home: exit code 3. `why` says what was found instead, when anything was. */
export function noDaemon(why?: string): CommandFailure {
  const message = why === undefined ? 'Kairos is not running.' : `Kairos is not running (${why}).`;
  return new CommandFailure(exit.noDaemon, message, 'Start it with: kairos daemon start');
}
