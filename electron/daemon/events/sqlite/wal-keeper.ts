import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { KairosError, errorCode, errorMessage } from '../../../../shared/base/errors.ts';
import type { Log } from '../../../../shared/base/ports.ts';

/** Bytes of the write-ahead log. `soft`: readers are asked to end; `hard`: no more is written until one does. */
export interface WalCaps {
  readonly soft: number;
  readonly hard: number;
}

/** 64 MB and 256 MB. */
export const walCaps: WalCaps = { soft: 64 * 1024 * 1024, hard: 256 * 1024 * 1024 };

/** Rows between two looks; a row and its indexes are a few pages of 4 KB. */
const rowsBetween = 1000;

interface Checkpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Keeps the write-ahead log small: copies it back after every thousand rows, and never lets it pass its cap. A reader with an
 * old snapshot makes it grow: first our own readers are ended, at last writing stops with `busy`.
 */
export class WalKeeper {
  readonly #database: Database.Database;
  readonly #file: string;
  readonly #caps: WalCaps;
  readonly #log: Log | undefined;
  readonly #onPressure = new Set<() => void>();
  #rows = 0;
  #pressed = false;

  constructor(database: Database.Database, caps: WalCaps, log: Log | undefined) {
    this.#database = database;
    this.#file = `${database.name}-wal`;
    this.#caps = caps;
    this.#log = log;
  }

  /** Called when the log passes its soft cap because somebody reads an old snapshot. */
  onPressure(listener: () => void): () => void {
    this.#onPressure.add(listener);
    return () => this.#onPressure.delete(listener);
  }

  /** Bytes of the log now. */
  bytes(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Throws `busy` while the log is at its hard cap. */
  requireRoom(): void {
    if (this.#rows === 0 || this.bytes() < this.#caps.hard) return;
    if (this.#truncate()) return;
    throw new KairosError(
      'busy',
      'A program that reads the database holds an old state of it; nothing more can be stored.',
      {
        next: 'Close programs that have store.db open, then try again.',
      },
    );
  }

  /** After a commit that wrote so many rows; true when `relieve` is due. */
  wrote(rows: number): boolean {
    this.#rows += rows;
    return this.#rows >= rowsBetween || this.bytes() >= this.#caps.soft;
  }

  /** Copies the log back; one over its soft cap is cut, and readers that hold it are asked to end. */
  relieve(): void {
    this.#rows = 1;
    if (this.bytes() < this.#caps.soft) {
      this.#checkpoint('PASSIVE');
      return;
    }
    const cut = this.#truncate();
    if (!cut && !this.#pressed) {
      const message = 'a reader holds an old snapshot: the write-ahead log cannot be shortened';
      this.#log?.warn({ walBytes: this.bytes() }, message);
    }
    this.#pressed = !cut;
    if (!cut) for (const listener of this.#onPressure) listener();
  }

  /** False while a reader needs the log. */
  #truncate(): boolean {
    return this.#checkpoint('TRUNCATE').busy === 0;
  }

  /** Never throws: what cannot be copied back now (a full disk, a reader) is copied later. */
  #checkpoint(kind: 'PASSIVE' | 'TRUNCATE'): Checkpoint {
    const nothing = { busy: 1, log: 0, checkpointed: 0 };
    try {
      // A checkpoint must not wait for readers on the daemon's thread.
      this.#database.pragma('busy_timeout = 0');
      const [answer = nothing] = this.#database.pragma(`wal_checkpoint(${kind})`) as Checkpoint[];
      return answer;
    } catch (error) {
      this.#log?.warn(
        { code: errorCode(error) },
        `the write-ahead log was not copied back: ${errorMessage(error)}`,
      );
      return nothing;
    } finally {
      this.#database.pragma('busy_timeout = 100');
    }
  }

  /** Copies everything back, before the database is closed. */
  finish(): void {
    this.#truncate();
  }
}
