import { errorCode } from '../../../shared/base/errors.ts';
import type { Runner } from '../../../shared/domain/runner.ts';
import type { SessionPort } from '../agent/ports.ts';
import type { SessionHooks } from './session-hooks.ts';

/** A worker that lets go is killed by its daemon after 5 s: hooks get less than that. */
const endLimitMs = 3_000;

/** Tells SessionEnd hooks when the session is let go, after everything else of it has ended. */
export function withSessionEnd(
  runner: Runner<SessionPort>,
  hooks: Pick<SessionHooks, 'end'>,
  { interrupt }: Pick<SessionPort, 'interrupt'>,
): Runner<SessionPort> {
  return {
    run: (port, signal) => runner.run(port, signal),
    async close() {
      await runner.close?.();
      try {
        await hooks.end(interrupt.aborted ? 'interrupted' : 'released', endLimitMs);
      } catch (error) {
        // The lease is somebody else's already: nobody is left to be told what the hooks said.
        if (errorCode(error) !== 'stale') throw error;
      }
    },
  };
}
