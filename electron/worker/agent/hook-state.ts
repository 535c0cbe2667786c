import { type HookOutcome, noOutcome } from '../../../shared/domain/hooks/combine.ts';
import type { HookPort } from './hook-port.ts';

/** What the loop remembers of a session's hooks; memory only: after a crash they are asked again. */
export interface HookState {
  readonly hooks: HookPort;
  /** What PreToolUse hooks (of that version) said about calls that have not ended. */
  readonly hookedCalls: Map<string, { readonly version: string; readonly outcome: HookOutcome }>;
  /** Prompts that PermissionRequest hooks were asked about; `cut`: something changed before they were done. */
  readonly askedCodes: Map<string, 'done' | 'cut'>;
  /** The session's SessionStart hooks have run. */
  begun: boolean;
  /** The turn that Stop hooks made go on last. */
  goneOn: string | null;
}

/** The state of a runner that begins; without a port there are no hooks. */
export function newHookState(hooks: HookPort = noHooks): HookState {
  return { hooks, hookedCalls: new Map(), askedCodes: new Map(), begun: false, goneOn: null };
}

const noHooks: HookPort = { version: '', begins: 'resume', fire: async () => noOutcome };
