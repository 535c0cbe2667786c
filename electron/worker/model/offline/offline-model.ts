import { offlineChoice } from '../../../../shared/domain/models.ts';
import { noUsage, type Reply } from '../../../../shared/domain/messages.ts';
import type { ModelPort, ModelRequest } from '../../agent/ports.ts';
import { interpret } from './interpret.ts';

/** The deterministic interpreter of plain commands behind the model port; it costs nothing and never fails. */
export const offlineEngine: ModelPort = {
  contextNeed: 'turn',
  // A person who writes the same line ten times means it.
  repeatLimit: null,
  problem: null,
  limits: offlineChoice,
  write: null,
  async request({ messages, step, frame, onDraft }: ModelRequest) {
    const reply = interpret(messages, step, frame.brief);
    const text = draftText(reply);
    if (text !== '') onDraft({ part: 0, kind: 'text', text });
    return { reply, usage: noUsage };
  },
};

/** What a viewer may show while the reply is being stored: the words for the person. */
function draftText(reply: Reply): string {
  const part = reply.parts[0];
  if (part?.type === 'text') return part.text;
  if (part?.type !== 'call' || part.tool !== 'SendUserMessage') return '';
  return (part.input as { message: string }).message;
}
