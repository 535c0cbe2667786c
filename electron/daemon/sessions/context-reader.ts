import type { StoredEvent } from '../../../shared/domain/events.ts';
import type { ContextMessage } from '../../../shared/domain/messages.ts';
import { projectContext } from '../../../shared/session/context.ts';
import type { Store } from '../events/port.ts';

/** Context of one frame: at most this many characters of JSON, so that it fits the link. */
const pageCharacters = 160_000;
const pageEvents = 500;
/** Fits a frame also when each character is escaped. */
const cutCharacters = 24_000;

/** Messages that fit one frame of the link; `more`: the context goes on. */
export interface ContextPage {
  readonly messages: ContextMessage[];
  readonly more: boolean;
}

/** Context messages after `known` (a seq), oldest first, as many as fit one frame; a single larger one goes alone. */
export async function readContext(
  store: Store,
  session: string,
  known: number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<ContextPage> {
  for (let after = known; ; ) {
    const events = await store.events(session, { after, limit: pageEvents });
    const texts = await messageTexts(store, session, events);
    const messages = projectContext(events, (seq) => texts.get(seq) ?? '').map(cutToFrame);
    const isLast = events.length < pageEvents;
    if (messages.length > 0 || isLast) {
      const page = fit(messages, limit);
      return { messages: page, more: page.length < messages.length || !isLast };
    }
    // A burst of arrivals holds nothing for the model: skip it here instead of a frame at a time.
    after = events.at(-1)?.seq ?? after;
  }
}

/** No message alone is longer than a frame can hold, whatever was stored; control characters take six bytes each. */
function cutToFrame(message: ContextMessage): ContextMessage {
  if (JSON.stringify(message).length <= pageCharacters) return message;
  const cut = (text: string): string => `${text.slice(0, cutCharacters)}\n[cut: ${text.length} characters]`;
  if (message.role === 'user') return { ...message, text: cut(message.text) };
  if (message.role === 'result')
    return { ...message, result: { ...message.result, output: cut(message.result.output) } };
  return message;
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
): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'message.received') texts.set(event.seq, event.body.text);
  }
  const missing = events
    .flatMap((event) => (event.type === 'step.began' ? event.body.delivered.map((item) => item.seq) : []))
    .filter((seq) => !texts.has(seq));
  for (const seq of missing) {
    const [event] = await store.events(session, { after: seq - 1, limit: 1 });
    if (event?.type === 'message.received') texts.set(seq, event.body.text);
  }
  return texts;
}
