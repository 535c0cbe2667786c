import type { WakeKind } from '../../../../shared/domain/wakes.ts';
import type { CallItemState, NoticeCode } from '../../../../shared/session/session-view-items.ts';
import type { Ending, Who } from '../../../../shared/viewing/prompt-ending.ts';

/** `1 call`, `7 calls`. */
export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Why a session woke. */
export const causes: Readonly<Record<WakeKind, string>> = {
  person: 'your message',
  channel: 'a message',
  verdict: 'your decision',
  answer: 'your answer',
  tick: 'a check-in',
  schedule: 'a schedule',
  webhook: 'a webhook',
  teammate: 'a teammate',
  task_ended: 'a task ended',
  timer: 'an alarm',
};

/** What became of a call, and its mark. */
export const callStates: Readonly<Record<CallItemState, readonly [mark: string, word: string]>> = {
  running: ['·', 'running'],
  asking: ['!', 'needs you'],
  sleeping: ['z', 'waiting'],
  ok: ['✓', ''],
  error: ['✗', 'failed'],
  denied: ['✗', 'not allowed'],
  unknown: ['?', 'outcome unknown'],
  interrupted: ['■', 'stopped'],
};

/** What happened to the session itself; the event's detail follows. */
export const notices: Readonly<Record<NoticeCode, (detail: string) => string>> = {
  created: (dir) => `Started in ${dir}`,
  renamed: (name) => `Renamed to ${name}`,
  mode_set: (mode) => `Mode: ${mode}`,
  model_set: (model) => `Model: ${model}`,
  brief_set: (brief) => `Brief mode: ${brief}`,
  paused: () => 'Paused',
  resumed: () => 'Resumed',
  parked: (reason) => `Stopped: ${reason}`,
  unparked: () => 'Tried again',
  nudged: (text) => `Reminded: ${text}`,
  compacted: () => 'What came before was summarised for the model',
  noted: (text) => `The model was told: ${text}`,
  task_began: (title) => `Started in the background: ${title}`,
  task_ended: (title) => `Background task ended: ${title}`,
  task_failed: (title) => `Background task failed: ${title}`,
  task_lost: (title) => `Background task ended with its worker, outcome unknown: ${title}`,
  step_abandoned: (reason) => `A step was given up: ${reason}`,
  hook_blocked: (what) => `A hook held something back (${what})`,
  hook_changed: (what) => `A hook changed something (${what})`,
  hook_failed: (what) => `A hook did not work as it should (${what})`,
  hook_passes: (what) =>
    `A hook that guards this session does not work; what it guards goes on without it (${what})`,
  hook_holds: (what) =>
    `A hook that guards this session does not work; nothing that it guards passes (${what})`,
  hook_said: (what) => `A hook says (${what})`,
};

/** How a prompt ended, after its headline. */
export const endings: Readonly<Record<Ending, string>> = {
  once: 'allowed once',
  session: 'allowed for this session',
  always: 'always allowed',
  deny: 'denied',
  answer: 'answered',
  expired: 'expired, counted as deny',
  withdrawn: 'no longer asked',
};

/** Who answered. */
export function whoText(who: Who): string {
  switch (who.kind) {
    case 'you':
      return 'you';
    case 'ownerElsewhere':
      return 'the owner, elsewhere';
    case 'other':
      return who.name;
  }
}

/** A length of time: `0.4 s`, `41 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, ms / 1000);
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** Money in millionths of a US dollar: `$0.61`, `<$0.01`, `$5`. */
export function moneyText(microUsd: number): string {
  const dollars = microUsd / 1_000_000;
  return dollars > 0 && dollars < 0.01 ? '<$0.01' : `$${dollars.toFixed(2).replace(/\.00$/, '')}`;
}
