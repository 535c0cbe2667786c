import type { Frame } from '../../../shared/domain/frames.ts';
import type { Conversation } from './conversation.ts';
import type { ModelPort, SessionPort, ToolPort } from './ports.ts';

/** Everything the steps of one session's loop share. */
export interface Work {
  readonly port: SessionPort;
  readonly model: ModelPort;
  readonly tools: ToolPort;
  readonly frame: Frame;
  readonly conversation: Conversation;
}
