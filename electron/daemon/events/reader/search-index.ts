import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { errorCode } from '../../../../shared/base/errors.ts';
import type { Clock } from '../../../../shared/base/ports.ts';
import { eventsAfter } from './source.ts';
import { searchText } from './search-text.ts';

/** Another version makes the index anew. */
const indexVersion = 1;
const eventsPerBatch = 2000;

/** Row numbers are event ids; both tables keep no text of their own. */
const schema = `
CREATE TABLE progress (last INTEGER NOT NULL);
INSERT INTO progress VALUES (0);
CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE trigrams USING fts5(text, content='', tokenize='trigram');
PRAGMA user_version = ${indexVersion};
`;

/** Opens the index; one that is damaged, of another version or ahead of the store is made anew, for it can be deleted at any time. */
export function openIndex(path: string, source: Database.Database): Database.Database {
  try {
    const index = openFile(path);
    if (progressOf(index) <= newestEvent(source)) return index;
    index.close();
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(errorCode(error))) throw error;
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  return openFile(path);
}

function openFile(path: string): Database.Database {
  const index = new Database(path, { timeout: 5000 });
  index.pragma('journal_mode = WAL');
  index.pragma('synchronous = NORMAL');
  const version = index.pragma('user_version', { simple: true });
  if (version === indexVersion) return index;
  if (version !== 0) {
    index.close();
    throw Object.assign(new Error('The search index has another version.'), { code: 'SQLITE_NOTADB' });
  }
  index
    .transaction(() => {
      if (index.pragma('user_version', { simple: true }) === 0) index.exec(schema);
    })
    .immediate();
  return index;
}

/** The newest event that is indexed. */
function progressOf(index: Database.Database): number {
  return index.prepare<[], { last: number }>('SELECT last FROM progress').get()?.last ?? 0;
}

function newestEvent(source: Database.Database): number {
  return source.prepare<[], { id: number | null }>('SELECT max(id) AS id FROM events').get()?.id ?? 0;
}

/** Indexes what is new, a batch per transaction, for at most `budgetMs`; true when everything is in. */
export function updateIndex(
  index: Database.Database,
  source: Database.Database,
  blobsDir: string,
  time: { clock: Pick<Clock, 'monotonic'>; budgetMs: number },
): boolean {
  const until = time.clock.monotonic() + time.budgetMs;
  const words = index.prepare('INSERT INTO words(rowid, text) VALUES (?, ?)');
  const trigrams = index.prepare('INSERT INTO trigrams(rowid, text) VALUES (?, ?)');
  const batch = index.transaction((): boolean => {
    const events = eventsAfter(source, blobsDir, progressOf(index), eventsPerBatch);
    const newest = events.at(-1);
    if (!newest) return false;
    for (const event of events) {
      const text = searchText(event);
      if (text === '') continue;
      words.run(event.id, text);
      trigrams.run(event.id, text);
    }
    index.prepare('UPDATE progress SET last = ?').run(newest.id);
    return events.length === eventsPerBatch;
  });
  for (let more = true; more; more = batch.immediate()) if (time.clock.monotonic() > until) return false;
  return true;
}
