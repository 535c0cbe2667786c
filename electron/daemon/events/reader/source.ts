import Database from 'better-sqlite3';
import type { AnyEvent } from '../../../../shared/domain/events.ts';
import { referredBlob } from '../blobs/blob-text.ts';
import { readBlobText } from '../blobs/file-blobs.ts';

interface EventLine {
  readonly id: number;
  readonly session: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly v: number;
  readonly origin: string | null;
  readonly body: string;
}

/** The store's database for reading; every statement sees the newest commit and holds no snapshot after it. */
export function openSource(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: 5000 });
}

/** An event as it was stored, with a long body read from its file. */
function toEvent(line: EventLine, blobsDir: string): AnyEvent {
  const { origin, body, ...rest } = line;
  const hash = referredBlob(body);
  const whole: unknown = JSON.parse(hash === null ? body : readBlobText(blobsDir, hash));
  return {
    ...rest,
    ...(origin === null ? {} : { origin: JSON.parse(origin) as AnyEvent['origin'] }),
    body: whole,
  };
}

/** Events in order, a page at a time, so that no snapshot is held while somebody slow reads. */
export function* eventsOf(
  source: Database.Database,
  blobsDir: string,
  session: string,
  page: number,
): Generator<AnyEvent[]> {
  const last =
    source.prepare<[string], { seq: number }>('SELECT seq FROM sessions WHERE id = ?').get(session)?.seq ?? 0;
  const read = source.prepare<[string, number, number, number], EventLine>(
    'SELECT id, session, seq, at, type, v, origin, body FROM events WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
  );
  for (let after = 0; after < last; ) {
    const lines = read.all(session, after, last, page);
    const newest = lines.at(-1);
    if (!newest) return;
    yield lines.map((line) => toEvent(line, blobsDir));
    after = newest.seq;
  }
}

/** The next events of all sessions after a row number. */
export function eventsAfter(
  source: Database.Database,
  blobsDir: string,
  after: number,
  limit: number,
): AnyEvent[] {
  return source
    .prepare<[number, number], EventLine>(
      'SELECT id, session, seq, at, type, v, origin, body FROM events WHERE id > ? ORDER BY id LIMIT ?',
    )
    .all(after, limit)
    .map((line) => toEvent(line, blobsDir));
}

/** The newest events of all sessions before a row number, newest first. */
export function eventsBefore(
  source: Database.Database,
  blobsDir: string,
  before: number,
  limit: number,
): AnyEvent[] {
  return source
    .prepare<[number, number], EventLine>(
      'SELECT id, session, seq, at, type, v, origin, body FROM events WHERE id < ? ORDER BY id DESC LIMIT ?',
    )
    .all(before, limit)
    .map((line) => toEvent(line, blobsDir));
}
