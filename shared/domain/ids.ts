declare const brand: unique symbol;
type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type SessionId = Id<'session'>;
export type WakeId = Id<'wake'>;
export type MessageId = Id<'message'>;
export type TurnId = Id<'turn'>;
export type StepId = Id<'step'>;
export type CallId = Id<'call'>;
export type EffectId = Id<'effect'>;
export type PromptId = Id<'prompt'>;
export type SurfaceId = Id<'surface'>;
export type DeviceId = Id<'device'>;
export type RuleId = Id<'rule'>;
export type BlobHash = Id<'blob'>;
export type FrameId = Id<'frame'>;
export type LeaseId = Id<'lease'>;

/** Prefix per kind, given to `Ids.next`. */
export const idPrefix = {
  session: 'ses',
  wake: 'wak',
  message: 'msg',
  turn: 'trn',
  step: 'stp',
  call: 'cal',
  effect: 'eff',
  prompt: 'pmt',
  device: 'dev',
  rule: 'rul',
  lease: 'lse',
} as const;

/** Brands a string that is known to be an id of that kind (from the store, a schema or `Ids`). */
export function asId<Branded extends string>(text: string): Branded {
  return text as Branded;
}
