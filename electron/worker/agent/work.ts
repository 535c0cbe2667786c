import type { Frame } from '../../../shared/domain/frames.ts';
import type { Conversation } from './conversation.ts';
import type { HookState } from './hook-state.ts';
import { inputLimit } from './tokens.ts';
import type { FramePort, ModelPort, SessionPort, ToolPort } from './ports.ts';

/** Everything the steps of one session's loop share. */
export interface Work extends HookState {
  readonly port: SessionPort;
  readonly model: ModelPort;
  readonly tools: ToolPort;
  readonly frames: FramePort;
  readonly conversation: Conversation;
  /** What is pinned; a compaction pins another. */
  frame: Frame;
  /** Estimated tokens of the smallest request that its provider found too long, while this worker has the session; null: none. */
  tooLong?: number | null;
  memo: { readonly upTo: number; readonly text: string } | null;
}

/** Tokens that a request may have: what the model is known for, or less where its provider refused less. */
export function roomOf({ model, tooLong = null }: Work): number {
  const room = inputLimit(model.limits);
  return tooLong === null ? room : Math.min(room, tooLong);
}

/** What a verb that may begin a step is told about the next request's size; models that read one turn only cost nothing. */
export function contextSize({ model, conversation, frame }: Work): { readonly contextTokens?: number } {
  return model.contextNeed === 'turn' ? {} : { contextTokens: conversation.tokens(frame) };
}
