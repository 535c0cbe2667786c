import { errorMessage } from '../../../shared/base/errors.ts';
import type { LinkInput, LinkOutput } from '../../../shared/protocol/worker-link.ts';
import type { Store } from '../events/port.ts';
import type { ReaderClient } from '../events/reader-client.ts';

/** What looking through the history works with; null: nothing can. */
export interface TranscriptPorts {
  readonly store: Pick<Store, 'session'>;
  readonly search: ReaderClient['search'] | null;
}

type Answer = LinkOutput<'searchTranscripts'>;

/** Looks through what was said before the running turn, in a process of its own; a failure is a note, never a fault. */
export async function searchTranscripts(
  { store, search }: TranscriptPorts,
  session: string,
  { query, since, limit, own }: LinkInput<'searchTranscripts'>,
): Promise<Answer> {
  if (search === null) return { hits: [], note: 'The history cannot be searched here.' };
  const row = await store.session(session);
  const filter = {
    ...(own ? { session } : {}),
    ...(since === null ? {} : { since }),
    // What is being talked about now is no memory of it.
    ...(row?.turn ? { notFrom: { session, seq: row.turn.seq } } : {}),
  };
  try {
    // Final texts are stored twice, as a reply and as a message.
    const { hits, ...end } = await search(query, 2 * limit, filter);
    const names = new Map<string, string | null>();
    for (const id of new Set(hits.map((hit) => hit.session)))
      names.set(id, (await store.session(id))?.name ?? null);
    const seen = new Set<string>();
    const once = hits.filter((hit) => {
      const key = `${hit.session} ${hit.who} ${hit.text}`;
      return !seen.has(key) && seen.add(key);
    });
    const named = once.map((hit) => ({ ...hit, name: names.get(hit.session) ?? null }));
    return { hits: named.slice(0, limit), note: noteOf(query, end) };
  } catch (error) {
    return { hits: [], note: `The history could not be searched: ${errorMessage(error)}` };
  }
}

function noteOf(
  query: string,
  { indexed, recentOnly }: { indexed: boolean; recentOnly: boolean },
): string | null {
  if (query.trim() === '') return 'The query has no words.';
  if (!indexed)
    return 'The index is still being made: older conversations are not in it yet, search again later.';
  return recentOnly
    ? 'The index knows no such words: the newest 50,000 events were looked through for the text itself.'
    : null;
}
