import { quotedText } from '../../../shared/base/quoted-text.ts';
import type { ContextMessage } from '../../../shared/domain/messages.ts';
import { clipTokens, textTokens } from './tokens.ts';

/** Tokens that one message takes at first; halved until the whole fits. */
const firstShare = 2_000;
const leastShare = 60;

/** A conversation as text for a model that sums it up: who said or did what, quoted, within `most` tokens. Pure. */
export function transcript(messages: readonly ContextMessage[], most: number): string {
  for (let share = firstShare; ; share = Math.floor(share / 2)) {
    const text = messages.map((message) => entry(message, share)).join('\n\n');
    if (textTokens(text) <= most) return text;
    if (share / 2 < leastShare) return clipTokens(text, most, 'the middle of the conversation is left out');
  }
}

function entry(message: ContextMessage, share: number): string {
  const clip = (text: string): string => quotedText(clipTokens(text, share, 'cut'));
  switch (message.role) {
    case 'user':
      return `${message.ref === undefined ? 'Kairos itself' : `person (${message.ref})`}:\n${clip(message.text)}`;
    case 'assistant':
      return message.reply.parts
        .flatMap((part) => {
          if (part.type === 'thinking') return [];
          if (part.type === 'text') return [`you:\n${clip(part.text)}`];
          return [`you called ${part.tool}:\n${clip(JSON.stringify(part.input ?? null))}`];
        })
        .join('\n');
    case 'result':
      return `result of ${message.tool} (${message.result.outcome}):\n${clip(message.result.output)}`;
  }
}
