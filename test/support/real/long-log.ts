import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Kairos } from './kairos.ts';
import { followSession, newSession, roundTrip } from './measure.ts';

/** For work on the file while no daemon runs: how events came about does not matter to whoever opens and pages. */
function openStore(kairos: Kairos): Database.Database {
  const database = new Database(join(kairos.home, 'store.db'));
  database.pragma('synchronous = OFF');
  return database;
}

/** A session with real turns of the offline engine, repeated until its log has `count` events; the daemon is stopped afterwards. */
export async function longSession(kairos: Kairos, count: number): Promise<string> {
  const session = await newSession(kairos, 'long');
  const viewer = await followSession(kairos, session);
  for (const text of ['help', 'run seq 1 200', 'write note.txt: one line\nread note.txt', 'run exit 3']) {
    await roundTrip(kairos, viewer, session, text);
  }
  await viewer.close();
  await kairos.stopDaemon();
  lengthenLog(kairos, session, count);
  return session;
}

/** Turns, calls and messages of a round are its own: viewers fold by their ids. */
const renamed = [
  '"turn":"',
  '"step":"',
  '"call":"',
  '"wake":"',
  '"wakes":["',
  '"message":"',
  '"prompt":"',
].reduce((body, name) => `replace(${body}, '${name}', '${name}' || "n" || '-')`, '"body"');

/** Repeats what happened in a session, in order and with new numbers, until its log has `count` events. */
function lengthenLog(kairos: Kairos, session: string, count: number): void {
  const database = openStore(kairos);
  try {
    const { seq } = database.prepare('SELECT "seq" FROM "sessions" WHERE "id" = ?').get(session) as {
      seq: number;
    };
    const repeat = `
      WITH RECURSIVE "round"("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "round" WHERE "n" * :seq < :count)
      INSERT INTO "events" ("session", "seq", "at", "type", "v", "origin", "body")
      SELECT "session", "seq" + "n" * :seq, "at" + "n", "type", "v", "origin", ${renamed} FROM "round", "events"
      WHERE "session" = :session AND "seq" <= :seq AND "seq" + "n" * :seq <= :count ORDER BY "n", "seq"`;
    database.transaction(() => {
      database.prepare(repeat).run({ session, seq, count });
      database.prepare('UPDATE "sessions" SET "seq" = ? WHERE "id" = ?').run(count, session);
    })();
  } finally {
    database.close();
  }
}

/** Adds answers of Kairos to a session's log, as they would stand there; no daemon runs meanwhile. */
export function addAnswers(kairos: Kairos, session: string, texts: readonly string[]): void {
  const database = openStore(kairos);
  try {
    const row = database.prepare('SELECT "id", "seq" FROM "sessions" WHERE "name" = ?').get(session) as {
      id: string;
      seq: number;
    };
    const insert = database.prepare(
      'INSERT INTO "events" ("session", "seq", "at", "type", "v", "body") VALUES (?, ?, ?, \'message.sent\', 1, ?)',
    );
    const none = { turn: null, call: null, inReplyTo: null, routes: [] };
    database.transaction(() => {
      for (const [index, text] of texts.entries()) {
        const body = JSON.stringify({ ...none, text, status: 'normal', source: 'tool' });
        insert.run(row.id, row.seq + index + 1, Date.now(), body);
      }
      database.prepare('UPDATE "sessions" SET "seq" = ? WHERE "id" = ?').run(row.seq + texts.length, row.id);
    })();
  } finally {
    database.close();
  }
}

/** About what a long answer with its details takes. */
const textLength = 4_000;

/** Adds long answers to the logs of these sessions until the database has so many bytes. */
export function fillStore(kairos: Kairos, sessions: readonly string[], bytes: number): void {
  const database = openStore(kairos);
  const seqs = database.prepare('SELECT "seq" FROM "sessions" WHERE "id" = ?').pluck();
  const insert = database.prepare(
    'INSERT INTO "events" ("session", "seq", "at", "type", "v", "body") VALUES (?, ?, ?, \'message.sent\', 1, ?)',
  );
  const setSeq = database.prepare('UPDATE "sessions" SET "seq" = ? WHERE "id" = ?');
  const more = Math.ceil(bytes / textLength / sessions.length);
  const chunk = 2_000;
  try {
    // Commit by commit, so that neither the log of the file nor the memory of the test has to hold all of it.
    for (let done = 0; done < more; done += chunk) {
      database.transaction(() => {
        for (const session of sessions) {
          const seq = seqs.get(session) as number;
          const last = seq + Math.min(chunk, more - done);
          for (let next = seq + 1; next <= last; next += 1) insert.run(session, next, next, longAnswer(next));
          setSeq.run(last, session);
        }
      })();
    }
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  // What the system still has to write would be in the way of whoever is measured next.
  const file = openSync(join(kairos.home, 'store.db'), 'r+');
  fsyncSync(file);
  closeSync(file);
}

function longAnswer(index: number): string {
  const text = `answer ${index} `.padEnd(textLength, 'It went on like this for a while. ');
  const none = { turn: null, call: null, inReplyTo: null, routes: [] };
  return JSON.stringify({ ...none, text, status: 'normal', source: 'tool' });
}
