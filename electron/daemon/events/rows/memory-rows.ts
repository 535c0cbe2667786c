import type { Query, RowStore, Scalar, Table, Transaction } from './table.ts';

type AnyRow = Readonly<Record<string, unknown>>;
interface Entry {
  readonly ordinal: number;
  readonly key: string;
  readonly row: AnyRow;
}
interface Lookup {
  readonly columns: readonly string[];
  readonly buckets: Map<string, Map<string, Entry>>;
}
interface Shelf {
  readonly entries: Map<string, Entry>;
  readonly lookups: readonly Lookup[];
  last: number;
}

/** What was committed; outlives the store that wrote it. */
export interface MemoryShelves {
  readonly shelves: Map<string, Shelf>;
}

/** An empty database in memory. */
export function createMemoryShelves(): MemoryShelves {
  return { shelves: new Map() };
}

const bucketName = (columns: readonly string[], row: AnyRow): string =>
  columns.length === 1
    ? String(row[columns[0] ?? ''])
    : columns.map((name) => String(row[name])).join('\u0000');
const keyName = (key: readonly unknown[]): string => (key.length === 1 ? String(key[0]) : key.join('\u0000'));

function makeShelf(table: Table<AnyRow>): Shelf {
  const lookups = table.lookups.map((columns) => ({
    columns,
    buckets: new Map<string, Map<string, Entry>>(),
  }));
  return { entries: new Map(), lookups, last: 0 };
}

function unlink(shelf: Shelf, entry: Entry): void {
  shelf.entries.delete(entry.key);
  for (const { columns, buckets } of shelf.lookups) {
    const name = bucketName(columns, entry.row);
    const bucket = buckets.get(name);
    bucket?.delete(entry.key);
    if (bucket?.size === 0) buckets.delete(name);
  }
}

function link(shelf: Shelf, entry: Entry): void {
  shelf.entries.set(entry.key, entry);
  for (const { columns, buckets } of shelf.lookups) {
    const name = bucketName(columns, entry.row);
    const bucket = buckets.get(name);
    if (bucket) bucket.set(entry.key, entry);
    else buckets.set(name, new Map([[entry.key, entry]]));
  }
}

/** Replaces in place where the buckets stay the same, so that the order of insertion stays too. */
function relink(shelf: Shelf, old: Entry, entry: Entry): void {
  shelf.entries.set(entry.key, entry);
  for (const { columns, buckets } of shelf.lookups) {
    const before = bucketName(columns, old.row);
    const after = bucketName(columns, entry.row);
    if (before !== after) {
      const bucket = buckets.get(before);
      bucket?.delete(old.key);
      if (bucket?.size === 0) buckets.delete(before);
    }
    const bucket = buckets.get(after);
    if (bucket) bucket.set(entry.key, entry);
    else buckets.set(after, new Map([[entry.key, entry]]));
  }
}

/** JSON columns are copied when written: nobody keeps a hand on what is stored, and it is what SQLite would give back. */
function stored(table: Table<AnyRow>, row: AnyRow): AnyRow {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(row)) {
    const value = row[name];
    copy[name] =
      table.columns[name] === 'json' && typeof value === 'object' && value !== null
        ? JSON.parse(JSON.stringify(value))
        : (value ?? null);
  }
  return copy;
}

function candidates(shelf: Shelf, query: Query<AnyRow>): Iterable<Entry> {
  const { eq } = query;
  if (eq) {
    const lookup = shelf.lookups.find(({ columns }) => columns.every((name) => name in eq));
    if (lookup) return lookup.buckets.get(bucketName(lookup.columns, eq))?.values() ?? [];
  }
  return shelf.entries.values();
}

function compare(left: unknown, right: unknown): number {
  if (left === right) return 0;
  if (left === null || left === undefined) return -1;
  if (right === null || right === undefined) return 1;
  return (left as number) < (right as number) ? -1 : 1;
}

type Bound = Partial<AnyRow> | undefined;
function within(row: AnyRow, bound: Bound, accept: (order: number) => boolean): boolean {
  for (const name in bound) {
    const value = row[name];
    if (value === null || value === undefined || !accept(compare(value, bound[name]))) return false;
  }
  return true;
}

function matches(row: AnyRow, query: Query<AnyRow>): boolean {
  for (const name in query.eq) if (row[name] !== query.eq[name]) return false;
  for (const name in query.in) if (!query.in[name]?.includes(row[name])) return false;
  if (!within(row, query.lt, (order) => order < 0)) return false;
  if (!within(row, query.lte, (order) => order <= 0)) return false;
  if (!within(row, query.gt, (order) => order > 0)) return false;
  if (query.isNull?.some((name) => row[name] !== null)) return false;
  return !query.notNull?.some((name) => row[name] === null);
}

function sorted(entries: Entry[], query: Query<AnyRow>): Entry[] {
  const { order = 'inserted' } = query;
  const byColumn = typeof order === 'object' ? order : null;
  const down = byColumn ? byColumn.down === true : order === 'newest';
  const rank = byColumn
    ? (left: Entry, right: Entry) =>
        compare(left.row[byColumn.by], right.row[byColumn.by]) || left.ordinal - right.ordinal
    : (left: Entry, right: Entry) => left.ordinal - right.ordinal;
  const inOrder = entries.every(
    (entry, index) => index === 0 || rank(entries[index - 1] ?? entry, entry) <= 0,
  );
  if (!inOrder) entries.sort(rank);
  return down ? entries.reverse() : entries;
}

/** Rows in memory; every change can be undone until it is committed. What `shelves` holds between transactions was committed. */
export class MemoryRows implements RowStore, Transaction {
  readonly #disk: MemoryShelves;
  readonly #journal: (() => void)[] = [];
  readonly #marks: number[] = [];

  constructor(disk: MemoryShelves) {
    this.#disk = disk;
  }

  get<Row>(table: Table<Row>, ...key: readonly Scalar[]): Row | null {
    return (this.#shelf(generic(table)).entries.get(keyName(key))?.row ?? null) as Row | null;
  }

  find<Row>(table: Table<Row>, query: Query<Row>): Row[] {
    return this.#select(generic(table), query as Query<AnyRow>).map((entry) => entry.row as Row);
  }

  pick<Row, Name extends keyof Row & string>(
    table: Table<Row>,
    _names: readonly Name[],
    query: Query<Row>,
  ): Pick<Row, Name>[] {
    return this.find(table, query);
  }

  count<Row>(table: Table<Row>, query: Query<Row>): number {
    return this.#select(generic(table), query as Query<AnyRow>).length;
  }

  insert<Row>(table: Table<Row>, row: Row): number {
    const plain = generic(table);
    const shelf = this.#shelf(plain);
    const copy = stored(plain, row as AnyRow);
    const ordinal = shelf.last + 1;
    const whole = plain.rowColumn ? { ...copy, [plain.rowColumn]: ordinal } : copy;
    const key = keyName(plain.key.map((name) => whole[name]));
    if (shelf.entries.has(key)) throw new Error(`${table.name} has a row with the key ${key}.`);
    const entry = { ordinal, key, row: whole };
    shelf.last = ordinal;
    link(shelf, entry);
    this.#journal.push(() => {
      unlink(shelf, entry);
      shelf.last = ordinal - 1;
    });
    return ordinal;
  }

  update<Row>(table: Table<Row>, key: readonly Scalar[], patch: Partial<Row>): void {
    const plain = generic(table);
    const shelf = this.#shelf(plain);
    const old = shelf.entries.get(keyName(key));
    if (!old) throw new Error(`${table.name} has no row with the key ${keyName(key)}.`);
    const entry = { ...old, row: { ...old.row, ...stored(plain, patch as AnyRow) } };
    relink(shelf, old, entry);
    this.#journal.push(() => relink(shelf, entry, old));
  }

  delete<Row>(table: Table<Row>, ...key: readonly Scalar[]): void {
    const shelf = this.#shelf(generic(table));
    const old = shelf.entries.get(keyName(key));
    if (!old) return;
    unlink(shelf, old);
    this.#journal.push(() => link(shelf, old));
  }

  begin(): void {
    this.#journal.length = 0;
    this.#marks.length = 0;
  }

  commit(): void {
    this.begin();
  }

  rollback(): void {
    this.#undoTo(0);
    this.#marks.length = 0;
  }

  mark(): void {
    this.#marks.push(this.#journal.length);
  }

  release(): void {
    this.#marks.pop();
  }

  rollbackTo(): void {
    this.#undoTo(this.#marks.pop() ?? 0);
  }

  #undoTo(length: number): void {
    while (this.#journal.length > length) this.#journal.pop()?.();
  }

  #shelf(table: Table<AnyRow>): Shelf {
    const known = this.#disk.shelves.get(table.name);
    if (known) return known;
    const made = makeShelf(table);
    this.#disk.shelves.set(table.name, made);
    return made;
  }

  #select(table: Table<AnyRow>, query: Query<AnyRow>): Entry[] {
    const found: Entry[] = [];
    for (const entry of candidates(this.#shelf(table), query))
      if (matches(entry.row, query)) found.push(entry);
    const ordered = sorted(found, query);
    return query.limit === undefined ? ordered : ordered.slice(0, query.limit);
  }
}

/** Inside, every table is one of plain rows. */
function generic<Row>(table: Table<Row>): Table<AnyRow> {
  return table as unknown as Table<AnyRow>;
}
