import type { StopSignal } from '../../../shared/base/ports.ts';
import type { HookOutcome } from '../../../shared/domain/hooks/combine.ts';
import type { HookOccasion } from '../../../shared/domain/hooks/occasions.ts';

/** The hooks of one session: commands of people and projects that hear of what happens and may have a say. */
export interface HookPort {
  /** Names the hooks that hold now; another text after every change. */
  readonly version: string;
  /** Whether the session has its first turn ahead of it. */
  readonly begins: 'startup' | 'resume';
  /**
   * Runs the hooks of an event at once and waits at most as long as the slowest may take; what people should know is stored.
   * `cut`: `signal` fired before they were done, nothing of what they said counts. Rejects only as the link does.
   */
  fire(occasion: HookOccasion, signal: StopSignal): Promise<HookOutcome | 'cut'>;
}
