import {
  type FailureTimes,
  type RestartPolicy,
  decideRestart,
} from '../../shared/domain/supervision/restart-policy.ts';
import { daemonExit } from '../../shared/protocol/supervisor-link.ts';

/** normal: everything on; safe: only the control port, with the reason. */
export type DaemonMode = 'normal' | 'safe';

/** One sentence for people and a stable code. */
export interface Failure {
  readonly code: string;
  readonly reason: string;
}

/** How a daemon ended that nobody asked to stop: its exit code (null: killed) and what is known about the cause. */
export interface DaemonEnd {
  readonly code: number | null;
  readonly failure: Failure;
}

/** What to do next; `failures` is the history to keep. */
export type NextStep =
  | { readonly kind: 'exit'; readonly code: number; readonly failure: Failure | undefined }
  | {
      readonly kind: 'start';
      readonly mode: DaemonMode;
      readonly afterMs: number;
      readonly failures: FailureTimes;
    };

/** More than 5 crashes within 60 s open the breaker. */
const normalPolicy: RestartPolicy = {
  intensity: 5,
  periodMs: 60_000,
  firstDelayMs: 250,
  longestDelayMs: 10_000,
};

/** Safe mode does so little that a third crash within 10 minutes means that nothing can be done from here. */
const safePolicy: RestartPolicy = {
  intensity: 2,
  periodMs: 600_000,
  firstDelayMs: 250,
  longestDelayMs: 10_000,
};

/** Exit code of the supervisor when not even safe mode stays up (EX_SOFTWARE). */
const exitGivenUp = 70;

/** Pause before a daemon that was told to end by somebody else is started again, ms. */
const againMs = 250;

const toSafeMode: NextStep = { kind: 'start', mode: 'safe', afterMs: 0, failures: [] };

/** Decides after the end of a daemon that nobody asked to stop; `atMs` is monotonic. */
export function afterEnd(mode: DaemonMode, failures: FailureTimes, end: DaemonEnd, atMs: number): NextStep {
  if (end.code === daemonExit.stopped) return { kind: 'exit', code: 0, failure: undefined };
  if (end.code === daemonExit.lockHeld)
    return { kind: 'exit', code: daemonExit.lockHeld, failure: end.failure };
  // No crash: whoever sends signals must be able neither to end Kairos for good nor to bring it into safe mode.
  if (end.code === daemonExit.terminated) return { kind: 'start', mode, afterMs: againMs, failures };
  if (end.code === daemonExit.configuration && mode === 'normal') return toSafeMode;
  const decision = decideRestart(mode === 'normal' ? normalPolicy : safePolicy, failures, atMs);
  if (decision.kind === 'restart') {
    return { kind: 'start', mode, afterMs: decision.afterMs, failures: decision.failures };
  }
  return mode === 'normal' ? toSafeMode : { kind: 'exit', code: exitGivenUp, failure: end.failure };
}
