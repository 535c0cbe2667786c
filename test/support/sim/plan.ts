import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import type { WakeMode } from '../../../shared/domain/wakes.ts';

/** Places of the simulated processes at which a crash can be armed. */
export const workerPoints = [
  'boot',
  'tool.before',
  'tool.effect',
  'model.before',
  'model.after',
  'frame.sent',
  'task.ended',
] as const;
export const daemonPoints = [
  'commit.before',
  'commit.after',
  'send.arrived',
  'offer.shown',
  'frame.received',
] as const;
export type WorkerPoint = (typeof workerPoints)[number];
export type DaemonPoint = (typeof daemonPoints)[number];

/** The ways out of the simulated daemon, one per effect class. */
export const platformNames = ['keyed', 'readback', 'blind'] as const;
export type PlatformName = (typeof platformNames)[number];
export const faults = [
  'none',
  'lost_answer',
  'lost_request',
  'busy',
  'refuse',
  'throws',
  'slow',
  'no_lookup',
] as const;
export type Fault = (typeof faults)[number];

export type Where = { readonly platform: PlatformName; readonly chat: string } | null;
export type VerdictHow =
  | 'allow'
  | 'deny'
  | 'session'
  | 'always'
  | 'answer'
  | 'wrong_code'
  | 'stale'
  | 'wrong_kind';

/** One thing that people, platforms or fate do. `session` and `pick` are indexes, taken modulo what there is. */
export type Deed =
  | {
      readonly do: 'send';
      readonly session: number;
      readonly text: string;
      readonly uuid: string;
      readonly queue: WakeMode;
      readonly trust: 'owner' | 'known';
    }
  | { readonly do: 'send_again'; readonly pick: number }
  | {
      readonly do: 'channel';
      readonly session: number;
      readonly where: Where;
      readonly text: string;
      readonly id: string;
      readonly queue: WakeMode;
      readonly kind: 'channel' | 'schedule' | 'webhook';
      readonly inMs: number;
    }
  | { readonly do: 'channel_again'; readonly pick: number }
  | {
      readonly do: 'verdict';
      readonly pick: number;
      readonly how: VerdictHow;
      readonly from: 'viewers' | 'phone';
      readonly owner: boolean;
      readonly rival: VerdictHow | null;
    }
  | { readonly do: 'pause'; readonly session: number | null; readonly on: boolean }
  | { readonly do: 'interrupt' | 'retry' | 'warm' | 'archive'; readonly session: number }
  | { readonly do: 'mode'; readonly session: number; readonly mode: PermissionMode }
  | { readonly do: 'rename'; readonly session: number; readonly name: string }
  | { readonly do: 'pass' | 'jump' | 'nap'; readonly ms: number }
  | { readonly do: 'kill_worker'; readonly pick: number }
  | { readonly do: 'arm_worker'; readonly point: WorkerPoint; readonly nth: number; readonly times: number }
  | { readonly do: 'arm_daemon'; readonly point: DaemonPoint; readonly nth: number; readonly downMs: number }
  | { readonly do: 'kill_daemon' | 'restart'; readonly downMs: number }
  | { readonly do: 'surface' }
  | { readonly do: 'disk'; readonly full: boolean }
  | { readonly do: 'platform'; readonly platform: PlatformName; readonly fault: Fault }
  | { readonly do: 'model_down' }
  | { readonly do: 'revoke' }
  | { readonly do: 'teammate'; readonly session: number; readonly text: string; readonly id: string }
  | { readonly do: 'hang_worker'; readonly pick: number }
  | { readonly do: 'host'; readonly broken: boolean }
  | { readonly do: 'raise'; readonly session: number; readonly limit: 'day' | 'tokens' };

/** A deed and how many steps of the scheduler run before it. */
export type Action = Deed & { readonly steps: number };

export interface SessionPlan {
  readonly name: string;
  readonly mode: PermissionMode;
  /** `priced`: costs money, has a small window, writes summaries. */
  readonly model: 'offline' | 'wild' | 'scripted' | 'priced';
  /** All that people read goes through SendUserMessage; otherwise the final text is the answer. */
  readonly brief: boolean;
}

/** Everything a schedule is made of; together with the seed it says exactly what happens. */
export interface Plan {
  readonly seed: number;
  readonly sessions: readonly SessionPlan[];
  readonly capacity: number;
  readonly hibernateSeconds: number;
  readonly promptSeconds: number;
  /** Answers of the store to questions take their time, as those of a server would. */
  readonly slowReads: boolean;
  /** Limits of the settings; null: none. */
  readonly budgets: { readonly dayUsd: number | null; readonly sessionDayTokens: number | null };
  readonly actions: readonly Action[];
}
