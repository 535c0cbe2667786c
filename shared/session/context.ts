import type { StoredEvent } from '../domain/events.ts';
import type { ContextMessage } from '../domain/messages.ts';

/** Finds the text of a received message by the seq of its event. */
export type MessageText = (seq: number) => string;

/**
 * The conversation as the model reads it, from events in order. A message enters where a step took it (`step.began`), not
 * where it was received, so that rebuilding gives the same bytes. Deterministic and free of state.
 */
export function projectContext(events: readonly StoredEvent[], textOf: MessageText): ContextMessage[] {
  return events.flatMap((event) => project(event, textOf));
}

function project(event: StoredEvent, textOf: MessageText): ContextMessage[] {
  switch (event.type) {
    case 'step.began':
      return event.body.delivered.map(({ ref, seq }) => ({
        role: 'user' as const,
        seq: event.seq,
        text: textOf(seq),
        ref,
        turn: event.body.turn,
      }));
    case 'turn.nudged':
      return [{ role: 'user', seq: event.seq, text: event.body.text, ref: undefined, turn: event.body.turn }];
    case 'step.replied':
      return [{ role: 'assistant', seq: event.seq, reply: event.body.reply, turn: event.body.turn }];
    case 'call.ended': {
      const { call, tool, result, turn } = event.body;
      return [{ role: 'result', seq: event.seq, call, tool, result, turn }];
    }
    default:
      return [];
  }
}
