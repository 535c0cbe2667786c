import type Database from 'better-sqlite3';
import { blobReference, longestColumn, referredBlob } from '../blobs/blob-text.ts';
import {
  countSql,
  columnsOf,
  deleteSql,
  getSql,
  insertSql,
  type PlainRow,
  plainValue,
  selectSql,
  updateSql,
} from '../rows/sql.ts';
import type { Query, RowStore, Scalar, Table } from '../rows/table.ts';
import { blobRefs } from '../rows/tables.ts';

/** Where columns that are too long for a row are kept; what is staged is made durable before the commit. */
export interface LongColumns {
  /** The hash under which the text can be read from now on. */
  stage(text: string): string;
  read(hash: string): string;
}

type Statement = Database.Statement<unknown[], unknown[]>;

/** Rows in SQLite. One prepared statement per shape of query; JSON columns longer than 64 KB live in blobs. */
export class SqliteRows implements RowStore {
  readonly #database: Database.Database;
  readonly #long: LongColumns;
  readonly #statements = new Map<string, Statement>();
  /** Rows written since the last look; tells when a checkpoint is worth its cost. */
  writes = 0;

  constructor(database: Database.Database, long: LongColumns) {
    this.#database = database;
    this.#long = long;
  }

  get<Row>(table: Table<Row>, ...key: readonly Scalar[]): Row | null {
    const plain = generic(table);
    const found = this.#reader(getSql(plain)).get(...key);
    return found ? (this.#decode(plain, found) as Row) : null;
  }

  find<Row>(table: Table<Row>, query: Query<Row>): Row[] {
    const plain = generic(table);
    const { text, values } = selectSql(plain, query as Query<PlainRow>);
    const found = this.#reader(text).all(...values);
    return found.map((row) => this.#decode(plain, row) as Row);
  }

  count<Row>(table: Table<Row>, query: Query<Row>): number {
    const { text, values } = countSql(generic(table), query as Query<PlainRow>);
    return this.#reader(text).get(...values)?.[0] as number;
  }

  insert<Row>(table: Table<Row>, row: Row): number {
    const plain = generic(table);
    const source = row as PlainRow;
    const { text, columns } = insertSql(plain);
    const owned: string[] = [];
    const values = columns.map((name) => this.#encode(plain, name, source[name], owned));
    const { lastInsertRowid } = this.#statement(text).run(...values);
    this.writes += 1;
    const number = Number(lastInsertRowid);
    if (owned.length > 0)
      this.#own(
        plain,
        plain.key.map((name) => String(source[name])),
        owned,
      );
    return number;
  }

  update<Row>(table: Table<Row>, key: readonly Scalar[], patch: Partial<Row>): void {
    const plain = generic(table);
    const columns = Object.keys(patch);
    const source = patch as PlainRow;
    const owned: string[] = [];
    const values = columns.map((name) => this.#encode(plain, name, source[name], owned));
    const { changes } = this.#statement(updateSql(plain, columns)).run(...values, ...key);
    if (changes !== 1) throw new Error(`${table.name} has no row with the key ${key.join(', ')}.`);
    this.writes += 1;
    if (owned.length > 0) this.#own(plain, key.map(String), owned);
  }

  delete<Row>(table: Table<Row>, ...key: readonly Scalar[]): void {
    this.#statement(deleteSql(generic(table))).run(...key);
    this.writes += 1;
  }

  #encode(table: Table<PlainRow>, name: string, value: unknown, owned: string[]): Scalar | null {
    const kind = table.columns[name];
    if (kind !== 'json' || value === null || value === undefined) return plainValue(kind, value);
    const text = JSON.stringify(value);
    const bytes = text.length > longestColumn / 3 ? Buffer.byteLength(text) : 0;
    if (bytes <= longestColumn) return text;
    const hash = this.#long.stage(text);
    owned.push(hash);
    return blobReference(hash, bytes);
  }

  #own(table: Table<PlainRow>, key: readonly string[], hashes: readonly string[]): void {
    const owner = [table.name, ...key].join('/');
    for (const hash of hashes) {
      if (!this.get(blobRefs, hash, owner)) this.insert(blobRefs, { hash, owner });
    }
  }

  #decode(table: Table<PlainRow>, found: readonly unknown[]): PlainRow {
    const row: Record<string, unknown> = {};
    for (const [index, name] of columnsOf(table).entries()) {
      const value = found[index] ?? null;
      const kind = table.columns[name];
      if (value === null) row[name] = null;
      else if (kind === 'bool') row[name] = value === 1;
      else row[name] = kind === 'json' ? this.#json(value as string) : value;
    }
    return row;
  }

  #json(text: string): unknown {
    const hash = referredBlob(text);
    return JSON.parse(hash === null ? text : this.#long.read(hash));
  }

  #reader(text: string): Statement {
    return this.#statement(text, true);
  }

  #statement(text: string, reads = false): Statement {
    const known = this.#statements.get(text);
    if (known) return known;
    const made = this.#database.prepare<unknown[], unknown[]>(text);
    if (reads) made.raw(true);
    this.#statements.set(text, made);
    return made;
  }
}

/** Inside, every table is one of plain rows. */
function generic<Row>(table: Table<Row>): Table<PlainRow> {
  return table as unknown as Table<PlainRow>;
}
