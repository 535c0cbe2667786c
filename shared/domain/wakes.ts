import * as z from 'zod/mini';

/** Why a session runs. The first two and the last are texts for the model; `verdict`, `answer` and `timer` continue a waiting call. */
export const wakeKindSchema = z.enum([
  'person',
  'channel',
  'verdict',
  'answer',
  'tick',
  'schedule',
  'webhook',
  'teammate',
  'task_ended',
  'timer',
]);
export type WakeKind = z.infer<typeof wakeKindSchema>;

/** `next_step`: joins a running turn at its next step; `after_turn`: waits for its end; `replace`: stops the running turn first. */
export const wakeModeSchema = z.enum(['next_step', 'after_turn', 'replace']);
export type WakeMode = z.infer<typeof wakeModeSchema>;

/** `pending` -> `consumed` by a step -> `settled`; `cancelled` when withdrawn unused (its call ended another way). */
export const wakeStateSchema = z.enum(['pending', 'consumed', 'settled', 'cancelled']);
export type WakeState = z.infer<typeof wakeStateSchema>;

/** How a message of a person came to its end. */
export const settledBySchema = z.enum([
  'reply',
  'channel_reply',
  'nothing_to_say',
  'failure_notice',
  'interrupted',
]);
export type SettledBy = z.infer<typeof settledBySchema>;

/** True for wakes whose text the model reads. */
export function carriesText(kind: WakeKind): boolean {
  return kind !== 'verdict' && kind !== 'answer' && kind !== 'timer';
}

/** True for wakes that a visible answer has to settle. */
export function needsSettling(kind: WakeKind): boolean {
  return kind === 'person' || kind === 'channel';
}
