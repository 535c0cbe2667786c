import type Database from 'better-sqlite3';
import type { Clock } from '../../../../shared/base/ports.ts';
import type { AnyEvent } from '../../../../shared/domain/events.ts';
import type { JobOf, SearchHit } from './job.ts';
import { openIndex, updateIndex } from './search-index.ts';
import { containsAll, excerpt, ftsQuery, queryWords, searchText } from './search-text.ts';
import { eventsBefore, openSource } from './source.ts';

/** A first index of a long history is made over several searches. */
const indexBudgetMs = 15_000;
/** Words of 1 or 2 characters are looked up in so many of the newest events. */
const recentEvents = 50_000;

/** Events that contain every word of the query, newest first. Any text is a valid query. */
export function search(job: JobOf<'search'>, clock: Clock): SearchHit[] {
  const words = queryWords(job.query);
  if (words.length === 0) return [];
  const source = openSource(job.storeDb);
  const index = openIndex(job.searchDb, source);
  try {
    updateIndex(index, source, job.blobsDir, { clock, budgetMs: indexBudgetMs });
    const ids = matchingIds(index, words, job.limit);
    const found = ids
      .flatMap((id) => eventsBefore(source, job.blobsDir, id + 1, 1))
      .filter((event) => ids.includes(event.id));
    const hits = found.length > 0 ? found : recentMatches(source, job, words);
    return hits.map((event) => toHit(event, words));
  } finally {
    index.close();
    source.close();
  }
}

function matchingIds(index: Database.Database, words: readonly string[], limit: number): number[] {
  const ask = (table: string, query: string): number[] =>
    index
      .prepare<[string, number], { rowid: number }>(
        `SELECT rowid FROM ${table} WHERE text MATCH ? ORDER BY rowid DESC LIMIT ?`,
      )
      .all(query, limit)
      .map((row) => row.rowid);
  const byWord = ask('words', ftsQuery(words, true));
  const long = words.every((word) => [...word].length >= 3);
  const byPart = long ? ask('trigrams', ftsQuery(words, false)) : [];
  return [...new Set([...byWord, ...byPart])].sort((left, right) => right - left).slice(0, limit);
}

/** What the index cannot know: one or two characters, signs, emoji. */
function recentMatches(
  source: Database.Database,
  job: JobOf<'search'>,
  words: readonly string[],
): AnyEvent[] {
  const found: AnyEvent[] = [];
  let seen = 0;
  for (let before = Number.MAX_SAFE_INTEGER; seen < recentEvents && found.length < job.limit; ) {
    const page = eventsBefore(source, job.blobsDir, before, 1000);
    const oldest = page.at(-1);
    if (!oldest) break;
    found.push(...page.filter((event) => containsAll(searchText(event), words)));
    before = oldest.id;
    seen += page.length;
  }
  return found.slice(0, job.limit);
}

function toHit(event: AnyEvent, words: readonly string[]): SearchHit {
  const { session, seq, at } = event;
  return { session, seq, at, text: excerpt(searchText(event), words) };
}
