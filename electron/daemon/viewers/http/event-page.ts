import type { Store } from '../../events/port.ts';

/** Characters of JSON after which a page ends early; it holds one event at least. */
const pageChars = 2 * 1024 * 1024;

/** Which page: events before or after a seq (neither: the newest), at most `limit`. */
export interface PageWish {
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly limit: number;
}

/**
 * A page of history as JSON of `EventPage`: newest first, with `after` oldest first. Each event is made to text once, so
 * that the size of the answer is bounded however large the events are.
 */
export async function eventPageJson(
  store: Pick<Store, 'events'>,
  session: string,
  wish: PageWish,
): Promise<string> {
  const { before, after, limit } = wish;
  const range = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  const events = await store.events(session, { ...range, limit });
  const texts: string[] = [];
  let chars = 0;
  for (const event of events) {
    const text = JSON.stringify(event);
    chars += text.length;
    if (texts.length > 0 && chars > pageChars) break;
    texts.push(text);
  }
  const last = events[texts.length - 1];
  const cut = texts.length < events.length;
  const more = cut || (after === undefined ? (last?.seq ?? 1) > 1 : events.length === limit);
  return `{"session":${JSON.stringify(session)},"events":[${texts.join(',')}],"more":${more}}`;
}
