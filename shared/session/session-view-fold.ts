import { assertNever } from '../base/assert-never.ts';
import { type AnyEvent, eventBodies, isKnownEvent, type StoredEvent } from '../domain/events.ts';
import { placed } from './session-view-change.ts';
import { foldCall, foldTurn } from './session-view-fold-turn.ts';
import { foldDelivery, foldMessage, foldPrompt, foldTodos, noticeOf } from './session-view-fold-message.ts';
import type { SessionItem } from './session-view-items.ts';

/** Adds events, in order of seq, to the items made of all earlier ones. Deterministic; the given items stay unchanged. */
export function foldEvents(items: readonly SessionItem[], events: readonly AnyEvent[]): SessionItem[] {
  const folded = [...items];
  for (const event of events) foldEvent(folded, event);
  return folded;
}

function foldEvent(items: SessionItem[], event: AnyEvent): void {
  if (isReadable(event)) foldKnown(items, event);
  else items.push({ kind: 'unknown', ...placed(event), type: event.type, body: event.body });
}

/** Events never change, and a viewer folds the same ones again with every older page: each is checked once. */
const checked = new WeakMap<AnyEvent, boolean>();

function isReadable(event: AnyEvent): event is StoredEvent {
  let isGood = checked.get(event);
  if (isGood === undefined) {
    isGood = isKnownEvent(event) && eventBodies[event.type].safeParse(event.body).success;
    checked.set(event, isGood);
  }
  return isGood;
}

function foldKnown(items: SessionItem[], event: StoredEvent): void {
  switch (event.type) {
    case 'session.created':
    case 'session.renamed':
    case 'session.mode_set':
    case 'session.model_set':
    case 'session.brief_set':
    case 'session.paused':
    case 'session.resumed':
    case 'session.parked':
    case 'session.unparked':
    case 'turn.nudged':
    case 'task.began':
    case 'task.ended':
    case 'context.compacted':
    case 'context.noted':
    case 'step.abandoned':
    case 'hook.ran':
      items.push({ kind: 'notice', ...placed(event), ...noticeOf(event) });
      return;
    case 'message.received':
    case 'message.sent':
    case 'message.settled':
      foldMessage(items, event);
      return;
    case 'turn.began':
    case 'turn.ended':
    case 'step.began':
    case 'step.replied':
      foldTurn(items, event);
      return;
    case 'call.began':
    case 'call.ended':
      foldCall(items, event);
      return;
    case 'prompt.opened':
    case 'prompt.decided':
    case 'prompt.expired':
    case 'prompt.withdrawn':
      foldPrompt(items, event);
      return;
    case 'delivery.planned':
    case 'delivery.done':
    case 'delivery.failed':
    case 'delivery.uncertain':
      foldDelivery(items, event);
      return;
    case 'todos.set':
      foldTodos(items, event);
      return;
    case 'session.noted':
      // For the model alone; the whole note is in the export.
      return;
    default:
      assertNever(event, 'event');
  }
}
