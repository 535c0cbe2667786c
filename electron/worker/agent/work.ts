import type { Frame } from '../../../shared/domain/frames.ts';
import type { Conversation } from './conversation.ts';
import type { FramePort, ModelPort, SessionPort, ToolPort } from './ports.ts';

/** Everything the steps of one session's loop share. */
export interface Work {
  readonly port: SessionPort;
  readonly model: ModelPort;
  readonly tools: ToolPort;
  readonly frames: FramePort;
  readonly conversation: Conversation;
  /** What is pinned; a compaction pins another. */
  frame: Frame;
  memo: { readonly upTo: number; readonly text: string } | null;
}

/** What a verb that may begin a step is told about the next request's size; models that read one turn only cost nothing. */
export function contextSize({ model, conversation, frame }: Work): { readonly contextTokens?: number } {
  return model.contextNeed === 'turn' ? {} : { contextTokens: conversation.tokens(frame) };
}
