import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { errorMessage } from '../../../../shared/base/errors.ts';
import type { Log } from '../../../../shared/base/ports.ts';

/** A number of always the same length: one small write replaces it whole. */
const digits = 16;

/** The row number noted in a mark file; null when there is none that can be read. */
export function readMark(path: string): number | null {
  try {
    const text = readFileSync(path, 'latin1').slice(0, digits + 1);
    return /^\d{16}\n$/.test(text) ? Number(text) : null;
  } catch {
    // Absent or unreadable: a mark only ever adds to what is known.
    return null;
  }
}

/**
 * Remembers outside of the database and its log how far the store had come: the row number of the newest committed event. It is
 * written after each commit without waiting for the disk, so it is never ahead of what was stored. Never throws.
 */
export class StoreMark {
  readonly #path: string;
  readonly #log: Log | undefined;
  #file: number | null = null;
  #noted: number | null = null;
  #broken = false;

  constructor(path: string, log: Log | undefined) {
    this.#path = path;
    this.#log = log;
  }

  /** `newest`: the row number of the newest event that is durable. */
  note(newest: number): void {
    if (newest === this.#noted) return;
    this.#guarded(() => {
      this.#file ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
      writeSync(this.#file, `${String(newest).padStart(digits, '0')}\n`, 0, 'latin1');
      this.#noted = newest;
    });
  }

  /** Waits for the disk once, at an orderly stop. */
  close(): void {
    const file = this.#file;
    this.#file = null;
    if (file === null) return;
    this.#guarded(() => {
      fsyncSync(file);
      closeSync(file);
    });
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!this.#broken)
        this.#log?.warn({ reason: errorMessage(error) }, 'the mark of the store is not kept');
      this.#broken = true;
    }
  }
}
