/** How a column is kept: `json` holds any JSON value, `bool` true or false; every column may be null. */
export type ColumnKind = 'text' | 'int' | 'real' | 'json' | 'bool';

type Column<Row> = keyof Row & string;

/** A table as both row stores know it. Rows are immutable values; every table also keeps the order of insertion. */
export interface Table<Row> {
  readonly name: string;
  readonly columns: Readonly<Record<Column<Row>, ColumnKind>>;
  readonly key: readonly Column<Row>[];
  /** The column that is the row's number in order of insertion; the store gives its value. */
  readonly rowColumn?: Column<Row>;
  /** Column sets that rows are found by; the memory store keeps a bucket per value (SQLite has its own indexes). */
  readonly lookups: readonly (readonly Column<Row>[])[];
}

/** A value that rows can be compared by. */
export type Scalar = string | number | boolean;

/** Which rows: all conditions hold together; a null never compares. */
export interface Query<Row> {
  readonly eq?: Partial<Row>;
  readonly in?: { readonly [Name in keyof Row]?: readonly Row[Name][] };
  readonly lt?: Partial<Row>;
  readonly lte?: Partial<Row>;
  readonly gt?: Partial<Row>;
  readonly isNull?: readonly Column<Row>[];
  readonly notNull?: readonly Column<Row>[];
  /** Default: order of insertion. */
  readonly order?: 'inserted' | 'newest' | { readonly by: Column<Row>; readonly down?: boolean };
  readonly limit?: number;
  /** Name of the SQLite index that must serve this query, where the planner could choose a slow one. */
  readonly via?: string;
}

/** Rows of one database, synchronous, inside whatever transaction is open. */
export interface RowStore {
  get<Row>(table: Table<Row>, ...key: readonly Scalar[]): Row | null;
  find<Row>(table: Table<Row>, query: Query<Row>): Row[];
  /** `find` with only these columns read. */
  pick<Row, Name extends Column<Row>>(
    table: Table<Row>,
    names: readonly Name[],
    query: Query<Row>,
  ): Pick<Row, Name>[];
  /** The row's number in order of insertion. Throws when the key exists. */
  insert<Row>(table: Table<Row>, row: Row): number;
  /** Replaces the named columns of an existing row. */
  update<Row>(table: Table<Row>, key: readonly Scalar[], patch: Partial<Row>): void;
  delete<Row>(table: Table<Row>, ...key: readonly Scalar[]): void;
  count<Row>(table: Table<Row>, query: Query<Row>): number;
}

/** A transaction over a row store; `mark` and `rollbackTo` undo a part of it. */
export interface Transaction {
  begin(): void;
  /** Makes everything since `begin` durable, or throws having changed nothing. */
  commit(): void;
  /** Undoes everything since `begin`; does nothing when no transaction is open. */
  rollback(): void;
  mark(): void;
  /** Keeps what was done since the last `mark`. */
  release(): void;
  rollbackTo(): void;
}
