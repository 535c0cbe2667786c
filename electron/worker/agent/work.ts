import type { Conversation } from './conversation.ts';
import type { ModelPort, SessionPort, ToolPort } from './ports.ts';

/** Everything the steps of one session's loop share. */
export interface Work {
  readonly port: SessionPort;
  readonly model: ModelPort;
  readonly tools: ToolPort;
  /** Content of the frame: system text, tool schemas, model, build. */
  readonly frame: string;
  readonly conversation: Conversation;
}
