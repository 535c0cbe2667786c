import type { ContextMessage } from '../../../shared/domain/messages.ts';
import { clipTokens, textTokens } from './tokens.ts';

/** Shares of what a request may have that one result, and one text of a person, take at most. */
const resultShare = 0.25;
const textShare = 0.4;

/**
 * A message as it enters the context of a model with that much room: one that would crowd out the rest is cut in its middle and
 * says where the whole is. Follows from the message and the number alone, so that rebuilding gives the same bytes.
 */
export function fitMessage(message: ContextMessage, room: number): ContextMessage {
  switch (message.role) {
    case 'assistant':
      return message;
    case 'user': {
      const text = fit(message.text, room * textShare, 'of this message');
      return text === message.text ? message : { ...message, text };
    }
    case 'result': {
      const { output } = message.result;
      const cut = fit(output, room * resultShare, 'of this result');
      return cut === output ? message : { ...message, result: { ...message.result, output: cut } };
    }
  }
}

function fit(text: string, most: number, what: string): string {
  // Nothing has more tokens than characters, and most messages are short.
  if (text.length <= most || textTokens(text) <= most) return text;
  const note = `the middle ${what} is left out: it has ${text.length} characters, too many for this model; the log keeps all of it`;
  return clipTokens(text, most, note);
}
