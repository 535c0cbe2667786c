import type Database from 'better-sqlite3';
import type { Clock } from '../../../../shared/base/ports.ts';
import { type AnyEvent, isKnownEvent } from '../../../../shared/domain/events.ts';
import type { JobOf, SearchEnd, SearchFilter, SearchHit } from './job.ts';
import { openIndex, updateIndex } from './search-index.ts';
import { containsAll, excerpt, ftsQuery, queryWords, searchText } from './search-text.ts';
import { eventsBefore, openSource } from './source.ts';

/** A first index of a long history is made over several searches. */
const indexBudgetMs = 15_000;
/** Words of 1 or 2 characters are looked up in so many of the newest events. */
const recentEvents = 50_000;
/** So many matches are looked at for those that pass the filter. */
const mostMatches = 20_000;
const matchesPerPage = 500;

/** What a search found, newest first, and how it looked. */
export interface Found extends SearchEnd {
  readonly hits: readonly SearchHit[];
}

/** Events that contain every word of the query. Any text is a valid query. */
export function search(job: JobOf<'search'>, clock: Clock): Found {
  const words = queryWords(job.query);
  if (words.length === 0) return { hits: [], indexed: true, recentOnly: false };
  const source = openSource(job.storeDb);
  const index = openIndex(job.searchDb, source);
  try {
    const indexed = updateIndex(index, source, job.blobsDir, { clock, budgetMs: indexBudgetMs });
    const found = indexMatches(index, source, job, words);
    const recentOnly = found.length === 0;
    const events = recentOnly ? recentMatches(source, job, words) : found;
    return { hits: events.map((event) => toHit(event, words)), indexed, recentOnly };
  } finally {
    index.close();
    source.close();
  }
}

/** What the index knows, a page of matches after the other until enough pass the filter. */
function indexMatches(
  index: Database.Database,
  source: Database.Database,
  job: JobOf<'search'>,
  words: readonly string[],
): AnyEvent[] {
  const found: AnyEvent[] = [];
  let seen = 0;
  for (let before = Number.MAX_SAFE_INTEGER; found.length < job.limit && seen < mostMatches; ) {
    const ids = matchingIds(index, words, before);
    for (const id of ids) {
      const [event] = eventsBefore(source, job.blobsDir, id + 1, 1);
      if (event?.id === id && passes(event, job) && !repeats(event, found.at(-1))) found.push(event);
      if (found.length === job.limit) return found;
    }
    const oldest = ids.at(-1);
    if (oldest === undefined) return found;
    before = oldest;
    seen += ids.length;
  }
  return found;
}

function matchingIds(index: Database.Database, words: readonly string[], before: number): number[] {
  const ask = (table: string, query: string): number[] =>
    index
      .prepare<[string, number, number], { rowid: number }>(
        `SELECT rowid FROM ${table} WHERE text MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
      )
      .all(query, before, matchesPerPage)
      .map((row) => row.rowid);
  const byWord = ask('words', ftsQuery(words, true));
  const long = words.every((word) => [...word].length >= 3);
  const byPart = long ? ask('trigrams', ftsQuery(words, false)) : [];
  return [...new Set([...byWord, ...byPart])].sort((left, right) => right - left).slice(0, matchesPerPage);
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
    for (const event of page)
      if (passes(event, job) && containsAll(searchText(event), words) && !repeats(event, found.at(-1)))
        found.push(event);
    before = oldest.id;
    seen += page.length;
  }
  return found.slice(0, job.limit);
}

function passes({ session, seq, at }: AnyEvent, { session: only, since, notFrom }: SearchFilter): boolean {
  if (only !== undefined && session !== only) return false;
  if (since !== undefined && at < since) return false;
  return notFrom === undefined || session !== notFrom.session || seq < notFrom.seq;
}

/** A reply whose text was sent as the answer is two events in a row: the one that was sent stands for both. */
function repeats(event: AnyEvent, newer: AnyEvent | undefined): boolean {
  return (
    newer?.type === 'message.sent' &&
    newer.session === event.session &&
    newer.seq === event.seq + 1 &&
    searchText(newer) === searchText(event)
  );
}

function toHit(event: AnyEvent, words: readonly string[]): SearchHit {
  const { session, seq, at } = event;
  return { session, seq, at, who: speaker(event), text: excerpt(searchText(event), words) };
}

function speaker(event: AnyEvent): string {
  if (!isKnownEvent(event) || event.type !== 'message.received') return 'Kairos';
  return event.origin?.principal ?? event.body.kind;
}
