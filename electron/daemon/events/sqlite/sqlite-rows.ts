import type Database from 'better-sqlite3';
import { blobReference, longestColumn, referredBlob } from '../blobs/blob-text.ts';
import {
  countSql,
  pickSql,
  type PlainRow,
  plainValue,
  selectSql,
  type TableSql,
  tableSql,
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

/** A table with its statements, prepared when they are first used. */
interface Prepared extends TableSql {
  readonly table: Table<PlainRow>;
  readonly getRow: Statement;
  readonly insertRow: Statement;
}

/** Rows in SQLite. One prepared statement per shape of query; JSON columns longer than 64 KB live in blobs. */
export class SqliteRows implements RowStore {
  readonly #database: Database.Database;
  readonly #long: LongColumns;
  readonly #tables = new Map<string, Prepared>();
  readonly #statements = new Map<string, Statement>();
  /** Rows written since the last look; tells when a checkpoint is worth its cost. */
  writes = 0;

  constructor(database: Database.Database, long: LongColumns) {
    this.#database = database;
    this.#long = long;
  }

  get<Row>(table: Table<Row>, ...key: readonly Scalar[]): Row | null {
    const prepared = this.#table(table);
    const found = prepared.getRow.get(...key);
    return found ? (this.#decode(prepared, found) as Row) : null;
  }

  find<Row>(table: Table<Row>, query: Query<Row>): Row[] {
    const prepared = this.#table(table);
    const { text, values } = selectSql(prepared.table, prepared.select, query as Query<PlainRow>);
    const found = this.#reader(text).all(...values);
    return found.map((row) => this.#decode(prepared, row) as Row);
  }

  pick<Row, Name extends keyof Row & string>(
    table: Table<Row>,
    names: readonly Name[],
    query: Query<Row>,
  ): Pick<Row, Name>[] {
    const { table: plain } = this.#table(table);
    const kinds = names.map((name) => plain.columns[name] ?? 'text');
    const { text, values } = selectSql(plain, pickSql(plain, names), query as Query<PlainRow>);
    const found = this.#reader(text).all(...values);
    return found.map((row) => this.#decode({ names, kinds }, row) as Pick<Row, Name>);
  }

  count<Row>(table: Table<Row>, query: Query<Row>): number {
    const { text, values } = countSql(this.#table(table).table, query as Query<PlainRow>);
    return this.#reader(text).get(...values)?.[0] as number;
  }

  insert<Row>(table: Table<Row>, row: Row): number {
    const prepared = this.#table(table);
    const source = row as PlainRow;
    const owned: string[] = [];
    const values = prepared.inserted.map((name) => this.#encode(prepared.table, name, source[name], owned));
    const { lastInsertRowid } = prepared.insertRow.run(...values);
    this.writes += 1;
    const { key } = prepared.table;
    if (owned.length > 0)
      this.#own(
        prepared.table,
        key.map((name) => String(source[name])),
        owned,
      );
    return Number(lastInsertRowid);
  }

  update<Row>(table: Table<Row>, key: readonly Scalar[], patch: Partial<Row>): void {
    const plain = this.#table(table).table;
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
    this.#statement(this.#table(table).remove).run(...key);
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

  #decode({ names, kinds }: Pick<Prepared, 'names' | 'kinds'>, found: readonly unknown[]): PlainRow {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) {
      const value = found[index] ?? null;
      const kind = kinds[index];
      const decoded = kind === 'bool' ? value === 1 : kind === 'json' ? this.#json(value as string) : value;
      row[names[index] ?? ''] = value === null ? null : decoded;
    }
    return row;
  }

  #json(text: string | null): unknown {
    if (text === null) return null;
    const hash = referredBlob(text);
    return JSON.parse(hash === null ? text : this.#long.read(hash));
  }

  #table<Row>(table: Table<Row>): Prepared {
    const known = this.#tables.get(table.name);
    if (known) return known;
    const plain = table as unknown as Table<PlainRow>;
    const sql = tableSql(plain);
    const made = {
      ...sql,
      table: plain,
      getRow: this.#reader(sql.get),
      insertRow: this.#statement(sql.insert),
    };
    this.#tables.set(table.name, made);
    return made;
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
