import { closeSync, openSync, readSync } from 'node:fs';

/** What the first 100 bytes of a file say about it as a SQLite database (SQLite file format, 1.3). */
export interface SqliteHeader {
  readonly isSqlite: boolean;
  /** Bytes that the file has to have; 0 where the header does not say so reliably. */
  readonly promisedBytes: number;
  /** The number that its program gave the schema. */
  readonly userVersion: number;
}

const headerBytes = 100;

/** Reads the header of the file at `path` without opening it as a database: nothing is changed, no lock is taken. Throws as `fs` does. */
export function readSqliteHeader(path: string): SqliteHeader {
  const bytes = firstBytes(path);
  const isSqlite = bytes.toString('latin1', 0, 16) === 'SQLite format 3\0';
  if (bytes.length < headerBytes) return { isSqlite, promisedBytes: headerBytes, userVersion: 0 };
  return { isSqlite, promisedBytes: promisedBytes(bytes), userVersion: bytes.readUInt32BE(60) };
}

function firstBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    return header.subarray(0, readSync(file, header, 0, headerBytes, 0));
  } finally {
    closeSync(file);
  }
}

function promisedBytes(header: Buffer): number {
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
  const size = header.readUInt16BE(16);
  return isCounted ? (size === 1 ? 65_536 : size) * header.readUInt32BE(28) : 0;
}
