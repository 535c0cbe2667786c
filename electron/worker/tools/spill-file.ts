import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../shared/base/errors.ts';
import type { Ids } from '../../../shared/base/ports.ts';

/** A spill file holds at most this many bytes. */
const spillLimit = 50 * 1024 * 1024;

/** Where the whole output is (null: nowhere) and how complete. */
export interface Spilled {
  readonly path: string | null;
  readonly note: string;
}

/** A file in the session's scratch folder that is named by the SHA-256 of its content when it is finished. Mode 0600. */
export class SpillFile {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #limit: number;
  readonly #hash = createHash('sha256');
  #file: FileHandle | null = null;
  #bytes = 0;
  #cut = false;
  #problem: string | null = null;

  constructor(folder: string, ids: Ids, limit = spillLimit) {
    this.#folder = folder;
    this.#temporary = join(folder, `.spill-${ids.random(8)}`);
    this.#limit = limit;
  }

  /** Appends; beyond the limit, or after the disk refused once, the rest is dropped. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#problem !== null) return;
    const part = chunk.subarray(0, this.#limit - this.#bytes);
    this.#cut ||= part.length < chunk.length;
    if (part.length === 0) return;
    try {
      this.#file ??= await open(this.#temporary, 'wx', 0o600);
      await this.#file.appendFile(part);
      this.#hash.update(part);
      this.#bytes += part.length;
    } catch (error) {
      this.#problem = errorCode(error);
    }
  }

  /** Closes and names it. A file that could not be written is removed. */
  async finish(): Promise<Spilled> {
    const file = this.#file;
    try {
      await file?.close();
      if (this.#problem === null && file !== null) {
        const path = join(this.#folder, `${this.#hash.digest('hex')}.txt`);
        await rename(this.#temporary, path);
        return { path, note: this.#cut ? `the first ${this.#bytes} bytes are in` : 'the whole output is in' };
      }
    } catch (error) {
      this.#problem = errorCode(error);
    }
    await rm(this.#temporary, { force: true });
    return { path: null, note: this.#problem ?? 'nothing was written' };
  }
}
