/** A stored blob as the collector sees it; `at` is wall ms of its last writing. */
export interface BlobEntry {
  readonly hash: string;
  readonly at: number;
}

/** Content-addressed bytes; a hash is the lower-case hex SHA-256 of the content. */
export interface BlobStore {
  /** Stores bytes durably; the same bytes again only renew their age. Throws KairosError `disk_full`. */
  put(bytes: Uint8Array): Promise<string>;
  /** Stores the file at a path; rejects with `bad_file` when it is none, too large or cannot be read. */
  putFile(path: string, mostBytes: number): Promise<{ readonly hash: string; readonly bytes: number }>;
  get(hash: string): Promise<Uint8Array | null>;
  list(): Promise<readonly BlobEntry[]>;
  /** Deletes the blob unless it is younger than `before` (wall ms) or `needed`; true when it was deleted. Atomic with `needed`. */
  remove(hash: string, before: number, needed: () => boolean): boolean;
}

/** True for text that can be the name of a blob; anything else never reaches the disk. */
export function isBlobHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
