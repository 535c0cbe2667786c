import type { Runner } from '../../../shared/domain/runner.ts';
import type { SessionPort } from './ports.ts';

/** The background tasks of a session, as its runner sees them. */
export interface RunningTasks {
  readonly running: readonly unknown[];
  /** Ends all, for good. */
  close(why: 'interrupted' | 'lost'): Promise<void>;
}

/** A runner that cannot go on stays while tasks run in the background; with its lease they end. */
export function withTasks(
  loop: Runner<SessionPort>,
  tasks: RunningTasks,
  { interrupt }: Pick<SessionPort, 'interrupt'>,
): Runner<SessionPort> {
  return {
    async run(port, signal) {
      const end = await loop.run(port, signal);
      return end.why === 'refused' && tasks.running.length > 0 ? { why: 'waiting' } : end;
    },
    close: () => tasks.close(interrupt.aborted ? 'interrupted' : 'lost'),
  };
}
