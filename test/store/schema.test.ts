import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrations } from '../../electron/daemon/events/sqlite/migrations.ts';
import * as tables from '../../electron/daemon/events/rows/tables.ts';
import { storeSchema, storeTables } from '../../shared/protocol/backup.ts';
import { openIn, storeFolder } from './support/folder.ts';

test('what the command line knows of a store is what the migrations make', () => {
  const first = new Database(':memory:');
  migrations[0]?.up(first);
  const names = first
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  first.close();
  expect([storeSchema, storeTables.filter((table) => !names.includes(table))]).toEqual([
    migrations.at(-1)?.to,
    [],
  ]);
});

test('the newest schema has exactly the columns that the rows are declared with', async () => {
  const folder = await storeFolder();
  await openIn(folder);
  const database = new Database(folder.storeDb, { readonly: true });
  const columnsOf = (name: string): string[] =>
    database
      .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
      .all(name)
      .map((column) => column.name)
      .filter((column) => column !== 'row');
  const declared = Object.values(tables).map((table) => [table.name, Object.keys(table.columns).toSorted()]);
  const stored = Object.values(tables).map((table) => [table.name, columnsOf(table.name).toSorted()]);
  database.close();
  expect(stored).toEqual(declared);
});
