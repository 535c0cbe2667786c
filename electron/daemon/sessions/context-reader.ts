import type { StoredEvent } from '../../../shared/domain/events.ts';
import type { ContextMessage } from '../../../shared/domain/messages.ts';
import { projectContext, type ReceivedText, withheldRefs } from '../../../shared/session/context.ts';
import type { Store } from '../events/port.ts';

/** Context of one page: at most this many characters of JSON, so that most fit a frame of the link; a larger message is a parcel. */
const pageCharacters = 160_000;
const pageEvents = 500;

/** Messages of one page; `more`: the context goes on. */
export interface ContextPage {
  readonly messages: ContextMessage[];
  readonly more: boolean;
}

/** Context messages after `known` (a seq), oldest first, as many as one page takes; a single larger one goes alone. */
export async function readContext(
  store: Store,
  session: string,
  known: number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<ContextPage> {
  for (let after = known; ; ) {
    const events = await store.events(session, { after, limit: pageEvents });
    const texts = await messageTexts(store, session, events);
    const isLast = events.length < pageEvents;
    const withheld = withheldRefs([...events, ...(isLast ? [] : await whatFollows(store, session, events))]);
    const messages = projectContext(events, (seq) => texts.get(seq), withheld);
    if (messages.length > 0 || isLast) {
      const page = fit(messages, limit);
      return { messages: page, more: page.length < messages.length || !isLast };
    }
    // A burst of arrivals holds nothing for the model: skip it here instead of a frame at a time.
    after = events.at(-1)?.seq ?? after;
  }
}

/** A hook blocks a message right after the step that took it: of a page that ends with an open turn the next events count too. */
async function whatFollows(
  store: Store,
  session: string,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  const isOpen =
    events.findLastIndex((event) => event.type === 'step.began') >
    events.findLastIndex((event) => event.type === 'turn.ended' || event.type === 'step.replied');
  return isOpen ? store.events(session, { after: events.at(-1)?.seq ?? 0, limit: pageEvents }) : [];
}

/** Cuts at a seq boundary: messages that one step delivered together stay together. */
function fit(messages: readonly ContextMessage[], limit: number): ContextMessage[] {
  const page: ContextMessage[] = [];
  let size = 0;
  for (const message of messages) {
    size += JSON.stringify(message).length;
    const previous = page.at(-1);
    const full = (size > pageCharacters || page.length >= limit) && page.length > 0;
    if (full && previous?.seq !== message.seq) break;
    page.push(message);
  }
  return page;
}

async function messageTexts(
  store: Store,
  session: string,
  events: readonly StoredEvent[],
): Promise<Map<number, ReceivedText>> {
  const texts = new Map<number, ReceivedText>();
  for (const event of events) {
    if (event.type === 'message.received') texts.set(event.seq, event.body);
  }
  const missing = events
    .flatMap((event) => (event.type === 'step.began' ? event.body.delivered.map((item) => item.seq) : []))
    .filter((seq) => !texts.has(seq));
  for (const seq of missing) {
    const [event] = await store.events(session, { after: seq - 1, limit: 1 });
    if (event?.type === 'message.received') texts.set(seq, event.body);
  }
  return texts;
}
