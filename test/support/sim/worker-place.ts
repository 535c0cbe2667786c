import type { ToolPort } from '../../../electron/worker/agent/ports.ts';
import type { ContextVault } from '../scripted-runner.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import type { Ledgers } from './ledgers.ts';
import type { Life } from './life.ts';
import type { WorkerPoint } from './plan.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** What a simulated worker process has around it. */
export interface WorkerPlace {
  readonly life: Life;
  readonly daemon: Life;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly ledgers: Ledgers;
  /** The one file system of the simulation. */
  readonly files: Map<string, string>;
  /** Faults that wait for a model. */
  readonly faults: { modelDown: boolean; hostBroken: boolean };
  /** What runners with a context of their own stored, per session. */
  readonly vault: ContextVault;
  /** The tools as a test may have spoiled them. */
  sabotageTools(tools: ToolPort): ToolPort;
  /** A place where the process may die; resolves when it did not and the scheduler came by. */
  point(name: WorkerPoint): Promise<void>;
  /** Lets others go first. */
  pause(label: string): Promise<void>;
  /** Virtual time passes; ends early when `signal` fires. */
  wait(ms: number, signal: StopSignal): Promise<void>;
}
