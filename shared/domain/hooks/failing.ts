import type { HookEvent } from '../session-config.ts';
import type { HookAnswer } from './answer.ts';
import type { HookRule } from './rules.ts';

/** Events whose hooks guard something: one that does not work lets through what it should look at. */
const gates: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit']);

/** True for the hooks of an event that may hold something back. */
export function isGate(event: HookEvent): boolean {
  return gates.has(event);
}

/** What a guard that failed lets happen: what it guards goes on without it, or is held back (`onFailure`); null: no guard, or it works. */
export function brokenGate({ event, onFailure }: HookRule, answer: HookAnswer): 'passes' | 'holds' | null {
  if (answer.failure === undefined || !isGate(event)) return null;
  return onFailure === 'deny' ? 'holds' : 'passes';
}

/** A guard that failed and is to hold back then says no; all others say what they said. */
export function withFailure(rule: HookRule, answer: HookAnswer): HookAnswer {
  if (brokenGate(rule, answer) !== 'holds' || answer.block !== undefined) return answer;
  const { permission, failure = '', ...rest } = answer;
  if (permission?.behavior === 'deny') return answer;
  return { ...rest, failure, block: `it ${failure}, and its settings let nothing pass then (onFailure)` };
}
