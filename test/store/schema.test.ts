import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import * as tables from '../../electron/daemon/events/rows/tables.ts';
import { openIn, storeFolder } from './support/folder.ts';

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
