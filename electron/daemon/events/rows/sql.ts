import type { ColumnKind, Query, Scalar, Table } from './table.ts';

/** A table whose rows are plain records. */
export type PlainRow = Readonly<Record<string, unknown>>;

/** SQL text and the values of its parameters, in order; JSON columns are encoded by the caller. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

const quoted = (name: string): string => `"${name}"`;

/** What never changes about a table's statements. */
export interface TableSql {
  readonly names: readonly string[];
  readonly kinds: readonly ColumnKind[];
  /** The start of a SELECT of every column. */
  readonly select: string;
  readonly get: string;
  readonly insert: string;
  /** The columns of the INSERT: all but the row number, which SQLite gives. */
  readonly inserted: readonly string[];
  readonly remove: string;
}

/** The fixed texts of a table. */
export function tableSql(table: Table<PlainRow>): TableSql {
  const names = Object.keys(table.columns);
  const inserted = names.filter((name) => name !== table.rowColumn);
  const name = quoted(table.name);
  const select = `SELECT ${names.map(quoted).join(',')} FROM ${name}`;
  const places = inserted.map(() => '?').join(',');
  return {
    names,
    kinds: Object.values(table.columns),
    select,
    get: `${select} WHERE ${keySql(table)}`,
    insert: `INSERT INTO ${name} (${inserted.map(quoted).join(',')}) VALUES (${places})`,
    inserted,
    remove: `DELETE FROM ${name} WHERE ${keySql(table)}`,
  };
}

/** SELECT of every column for a query. Equal shapes give equal texts, so that statements are prepared once. */
export function selectSql(table: Table<PlainRow>, head: string, query: Query<PlainRow>): Sql {
  return finish(head, table, query, true);
}

/** The start of a SELECT of some columns. */
export function pickSql(table: Table<PlainRow>, names: readonly string[]): string {
  return `SELECT ${names.map(quoted).join(',')} FROM ${quoted(table.name)}`;
}

/** SELECT of the number of rows. */
export function countSql(table: Table<PlainRow>, query: Query<PlainRow>): Sql {
  return finish(`SELECT count(*) FROM ${quoted(table.name)}`, table, query, false);
}

/** UPDATE of the named columns by key. */
export function updateSql(table: Table<PlainRow>, columns: readonly string[]): string {
  const sets = columns.map((name) => `${quoted(name)}=?`).join(',');
  return `UPDATE ${quoted(table.name)} SET ${sets} WHERE ${keySql(table)}`;
}

function keySql(table: Table<PlainRow>): string {
  return table.key.map((name) => `${quoted(name)}=?`).join(' AND ');
}

function finish(head: string, table: Table<PlainRow>, query: Query<PlainRow>, ordered: boolean): Sql {
  const values: unknown[] = [];
  const hint = query.via === undefined ? '' : ` INDEXED BY ${quoted(query.via)}`;
  const conditions = whereSql(table, query, values);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = ordered ? ` ORDER BY ${orderSql(table, query)}` : '';
  const limit = query.limit === undefined ? '' : ' LIMIT ?';
  if (query.limit !== undefined) values.push(query.limit);
  return { text: `${head}${hint}${where}${order}${limit}`, values };
}

function whereSql(table: Table<PlainRow>, query: Query<PlainRow>, values: unknown[]): string[] {
  const parts: string[] = [];
  const compare = (sign: string, bound: PlainRow | undefined): void => {
    for (const [name, value] of Object.entries(bound ?? {})) {
      parts.push(`${quoted(name)}${sign}?`);
      values.push(plainValue(table.columns[name], value));
    }
  };
  compare('=', query.eq);
  compare('<', query.lt);
  compare('<=', query.lte);
  compare('>', query.gt);
  for (const [name, list] of Object.entries(query.in ?? {})) {
    parts.push(`${quoted(name)} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(list));
  }
  for (const name of query.isNull ?? []) parts.push(`${quoted(name)} IS NULL`);
  for (const name of query.notNull ?? []) parts.push(`${quoted(name)} IS NOT NULL`);
  return parts;
}

function orderSql(table: Table<PlainRow>, query: Query<PlainRow>): string {
  const row = quoted(table.rowColumn ?? 'row');
  const { order = 'inserted' } = query;
  if (order === 'inserted') return row;
  if (order === 'newest') return `${row} DESC`;
  const way = order.down === true ? ' DESC' : '';
  return `${quoted(order.by)}${way},${row}${way}`;
}

/** The value of a column that rows are compared by, as SQLite keeps it. */
export function plainValue(kind: ColumnKind | undefined, value: unknown): Scalar | null {
  if (value === null || value === undefined) return null;
  if (kind === 'bool') return value === true ? 1 : 0;
  return value as Scalar;
}
