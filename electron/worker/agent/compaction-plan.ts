import type { ContextMessage } from '../../../shared/domain/messages.ts';
import { sumTokens, tokensOf } from './tokens.ts';

/** What goes and what stays: the context goes on from seq `from`. */
export interface CompactionPlan {
  readonly from: number;
  readonly dropped: readonly ContextMessage[];
  readonly kept: readonly ContextMessage[];
}

/** Shares of what a request may have: the kept tail, and its last part when that alone is larger. */
const tailShare = 0.25;
const lastPartShare = 0.4;

/**
 * Cuts where a step begins, so that every result keeps its call: as many of the newest parts stay as take `tailShare` of `room`.
 * `known`: the newest seq that was read. Pure.
 */
export function planCompaction(
  messages: readonly ContextMessage[],
  room: number,
  known: number,
): CompactionPlan {
  const parts = partsOf(messages);
  let kept: ContextMessage[] = [];
  let tokens = 0;
  for (const part of parts.toReversed()) {
    tokens += sumTokens(part);
    const most = kept.length === 0 ? lastPartShare : tailShare;
    if (tokens > room * most) break;
    kept = [...part, ...kept];
  }
  return { from: kept[0]?.seq ?? known + 1, dropped: messages.slice(0, messages.length - kept.length), kept };
}

/** Keeps nothing: what is to be known stands in the summary alone. */
export function planLeast(messages: readonly ContextMessage[], known: number): CompactionPlan {
  return { from: known + 1, dropped: messages, kept: [] };
}

/** What must not be torn apart: a reply with its results, and texts that came together. */
function partsOf(messages: readonly ContextMessage[]): ContextMessage[][] {
  const parts: ContextMessage[][] = [];
  let before: ContextMessage['role'] | null = null;
  for (const message of messages) {
    const begins = message.role === 'assistant' || (message.role === 'user' && before !== 'user');
    if (begins || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(message);
    before = message.role;
  }
  return parts;
}

/** The newest of these that fit into so many tokens, oldest first. */
export function newestWithin<Message extends ContextMessage>(
  messages: readonly Message[],
  most: number,
): Message[] {
  let tokens = 0;
  const fitting = messages.toReversed().filter((message) => {
    tokens += tokensOf(message);
    return tokens <= most;
  });
  return fitting.toReversed();
}
