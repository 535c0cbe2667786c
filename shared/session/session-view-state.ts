import { isKnownEvent } from '../domain/events.ts';
import type { SettledBy } from '../domain/wakes.ts';
import type { SessionPageView } from './session-view.ts';
import type { MessageInItem } from './session-view-items.ts';
import type { MessageState } from './session-view-schema.ts';

/** How far a message is, what it was answered, and the codes of what the session asks a person. */
export interface MessageProgress {
  readonly state: MessageState;
  readonly settledBy: SettledBy | null;
  readonly replies: readonly { readonly text: string; readonly status: 'normal' | 'proactive' }[];
  readonly codes: readonly string[];
}

/**
 * The progress of a message, or null when the loaded events say nothing of it (load older pages, or ask the daemon).
 * `replies` are those visible in the turn that took the message, as in the daemon's own answer.
 */
export function messageState(view: SessionPageView, message: string): MessageProgress | null {
  const known = findReceived(view, message) ?? findSettled(view, message);
  if (known === null) return null;
  const codes = view.prompts.filter((prompt) => prompt.state === 'open').map((prompt) => prompt.code);
  const { settledBy } = known;
  return { state: stateOf(view, settledBy, codes), settledBy, replies: repliesTo(view, known), codes };
}

type Known = Pick<MessageInItem, 'ref' | 'turn' | 'settledBy'>;

function findReceived(view: SessionPageView, message: string): Known | null {
  const item = view.items.findLast((item) => item.kind === 'message_in' && item.message === message);
  return item?.kind === 'message_in' ? item : null;
}

/** The page with the message itself is not loaded, but its end is. */
function findSettled(view: SessionPageView, message: string): Known | null {
  const event = view.events.findLast(
    (event) => isKnownEvent(event) && event.type === 'message.settled' && event.body.message === message,
  );
  if (event === undefined || !isKnownEvent(event) || event.type !== 'message.settled') return null;
  return { ref: event.body.ref, turn: event.body.turn, settledBy: event.body.by };
}

function stateOf(view: SessionPageView, settledBy: SettledBy | null, codes: readonly string[]): MessageState {
  if (settledBy !== null) return 'settled';
  if (view.session.parked !== null) return 'parked';
  return codes.length > 0 ? 'asking' : 'working';
}

function repliesTo(view: SessionPageView, { ref, turn }: Known): MessageProgress['replies'] {
  return view.items.flatMap((item) => {
    if (item.kind !== 'message_out') return [];
    const answers = turn === null ? item.inReplyTo === ref : item.turn === turn;
    return answers ? [{ text: item.text, status: item.status }] : [];
  });
}
