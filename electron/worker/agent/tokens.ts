import type { Frame } from '../../../shared/domain/frames.ts';
import type { ContextMessage, Reply, ReplyPart } from '../../../shared/domain/messages.ts';
import type { ModelChoice } from '../../../shared/domain/models.ts';

/** Characters of English text and code that make a token, on the side of too few. */
const charactersPerToken = 3.5;
/** Other scripts: most of their characters are a token or two thirds of one. */
const otherPerToken = 1.2;
const imageTokens = 1_600;
/** Role, separators, ids. */
const messageTokens = 8;

/** About how many tokens a text is, whatever the model. Pure. */
export function textTokens(text: string): number {
  let other = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) other += 1;
  return Math.ceil((text.length - other) / charactersPerToken + other / otherPerToken);
}

const measured = new WeakMap<object, number>();

function once<Value extends object>(value: Value, measure: (value: Value) => number): number {
  const known = measured.get(value);
  if (known !== undefined) return known;
  const tokens = measure(value);
  measured.set(value, tokens);
  return tokens;
}

/** About how many tokens a message is. */
export function tokensOf(message: ContextMessage): number {
  return once(message, measureMessage);
}

function measureMessage(message: ContextMessage): number {
  switch (message.role) {
    case 'user':
      return messageTokens + textTokens(message.text);
    case 'assistant':
      return replyTokens(message.reply);
    case 'result': {
      const { output, images = [] } = message.result;
      return messageTokens + textTokens(output) + images.length * imageTokens;
    }
  }
}

/** About how many tokens a reply is. */
export function replyTokens(reply: Pick<Reply, 'parts'>): number {
  return reply.parts.reduce((sum, part) => sum + messageTokens + partTokens(part), 0);
}

function partTokens(part: ReplyPart): number {
  if (part.type === 'call') return textTokens(part.tool) + textTokens(JSON.stringify(part.input ?? null));
  return textTokens(part.text);
}

/** About how many tokens the stable part of a request is. */
export function frameTokens(frame: Frame): number {
  return once(frame, ({ system, tools }) => textTokens(system) + textTokens(JSON.stringify(tools)));
}

/** Tokens of several messages. */
export function sumTokens(messages: readonly ContextMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

/** Tokens that a request may have, so that there is room for its answer. */
export function inputLimit({
  contextTokens,
  maxOutputTokens,
}: Pick<ModelChoice, 'contextTokens' | 'maxOutputTokens'>): number {
  return contextTokens - Math.min(maxOutputTokens, Math.floor(contextTokens / 2));
}

/** The text cut in its middle to about that many tokens, with a word about it; a shorter one as it is. */
export function clipTokens(text: string, most: number, note: string): string {
  const tokens = textTokens(text);
  if (tokens <= most) return text;
  const mark = `\n[... ${note} ...]\n`;
  // What stays may be of a denser script than the whole.
  for (
    let kept = Math.floor((text.length * most) / tokens) - mark.length;
    kept > 0;
    kept = Math.floor(kept * 0.8)
  ) {
    const head = Math.floor(kept * 0.6);
    const clipped = `${text.slice(0, head)}${mark}${text.slice(text.length - (kept - head))}`;
    if (textTokens(clipped) <= most) return clipped;
  }
  return mark.trim();
}
