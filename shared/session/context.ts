import type { EventBody, StoredEvent } from '../domain/events.ts';
import type { ContextMessage, Usage } from '../domain/messages.ts';
import { needsSettling } from '../domain/wakes.ts';

/** What is read of a received message. */
export type ReceivedText = Pick<EventBody<'message.received'>, 'text' | 'kind'>;
/** Finds a received message by the seq of its event. */
export type MessageText = (seq: number) => ReceivedText | undefined;

/**
 * The conversation as the model reads it, from events in order. Only what a person or a channel wrote has a ref, which the model
 * can answer; what has none is ours. A message enters where a step took it (`step.began`), not
 * where it was received, so that rebuilding gives the same bytes. Deterministic and free of state. Of a compacted session only
 * what follows the compaction is asked for; `compactionMessage` stands before it. `withheld`: refs of messages that hooks blocked.
 */
export function projectContext(
  events: readonly StoredEvent[],
  textOf: MessageText,
  withheld: ReadonlySet<string> = new Set(),
): ContextMessage[] {
  return events.flatMap((event) => project(event, textOf, withheld));
}

/** What the model reads in place of a message that a hook blocked. */
export const withheldText = '[A message stood here. A hook blocked it; its text is not shown to you.]';

/** Refs of the messages that hooks blocked, as these events tell. */
export function withheldRefs(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) =>
      event.type === 'hook.ran' && event.body.withheld !== undefined ? [event.body.withheld] : [],
    ),
  );
}

/** What the model reads in place of everything before seq `from`. */
export function compactionMessage({ from, text }: { from: number; text: string }): ContextMessage {
  return { role: 'user', seq: from - 1, text, ref: undefined, turn: '' };
}

/** The request with its reply; parts that a provider did not tell count as none. */
function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

function project(event: StoredEvent, textOf: MessageText, withheld: ReadonlySet<string>): ContextMessage[] {
  switch (event.type) {
    case 'step.began':
      return event.body.delivered.map(({ ref, seq }) => {
        const { text: said = '', kind = 'person' } = textOf(seq) ?? {};
        const text = withheld.has(ref) ? withheldText : said;
        const message = { role: 'user', seq: event.seq, text, turn: event.body.turn } as const;
        return needsSettling(kind) ? { ...message, ref } : { ...message, ref: undefined, wake: kind };
      });
    case 'turn.nudged':
      return [{ role: 'user', seq: event.seq, text: event.body.text, ref: undefined, turn: event.body.turn }];
    case 'context.noted': {
      const { text, turn, digest } = event.body;
      return [{ role: 'user', seq: event.seq, text, ref: undefined, turn, note: digest }];
    }
    case 'step.replied': {
      const { reply, turn, usage } = event.body;
      const tokens = tokensOf(usage);
      return [{ role: 'assistant', seq: event.seq, reply, turn, ...(tokens > 0 ? { tokens } : {}) }];
    }
    case 'call.ended': {
      const { call, tool, result, turn } = event.body;
      return [{ role: 'result', seq: event.seq, call, tool, result, turn }];
    }
    default:
      return [];
  }
}
