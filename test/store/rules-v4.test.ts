import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrations } from '../../electron/daemon/events/sqlite/migrations.ts';

test('rules of earlier versions mean after schema 4 exactly what they meant before, or less', () => {
  const database = new Database(':memory:');
  for (const { up } of migrations.slice(0, 3)) up(database);
  const add = database.prepare(
    `INSERT INTO "rules" ("id", "effect", "tool", "subject", "source", "createdAt") VALUES (?, ?, ?, ?, 'always', 0)`,
  );
  const earlier: [string, string, string | null][] = [
    ['allow', 'Bash', JSON.stringify('rm *.o')],
    ['allow', 'Bash', JSON.stringify('git status')],
    ['allow', 'Write', JSON.stringify('/w/a "b" [1].txt')],
    ['allow', 'Grep', JSON.stringify('/')],
    ['allow', 'WebFetch', JSON.stringify('domain:example.com')],
    ['allow', 'Edit', null],
    ['allow', 'Bash', '$blob:abc:70000'],
    ['deny', 'Bash', '$blob:def:70000'],
  ];
  for (const [at, row] of earlier.entries()) add.run(`rul_${at}`, ...row);
  migrations[3]?.up(database);
  const after = database
    .prepare<[], Record<string, string | null>>(
      'SELECT "effect", "tool", "subject" FROM "rules" ORDER BY "row"',
    )
    .all()
    .map(({ effect, tool, subject }) => [effect, tool, subject ? (JSON.parse(subject) as string) : null]);
  database.close();
  expect(after).toEqual([
    ['allow', 'Bash', String.raw`rm \*.o`],
    ['allow', 'Bash', 'git status'],
    ['allow', 'Write', String.raw`//w/a "b" \[1\].txt`],
    ['allow', 'Grep', '//'],
    ['allow', 'WebFetch', 'domain:example.com'],
    ['allow', 'Edit', null],
    ['ask', 'Bash', null],
  ]);
});
