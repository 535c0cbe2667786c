import { StringDecoder } from 'node:string_decoder';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '../../../../shared/base/errors.ts';

const longestFile = 50 * 1024 * 1024;
const tailCharacters = 2_000;

/** Where the output of a background task goes: a file that can be read while it grows (mode 0600, at most 50 MB) and its last words. */
export class TaskOutput {
  readonly #file: FileHandle;
  readonly #limit: number;
  readonly #decoder = new StringDecoder('utf8');
  #tail = '';
  #bytes = 0;
  #problem: string | null = null;

  private constructor(file: FileHandle, limit: number) {
    this.#file = file;
    this.#limit = limit;
  }

  /** Makes the file; rejects with the system's error when it cannot. */
  static async open(path: string, limit = longestFile): Promise<TaskOutput> {
    return new TaskOutput(await open(path, 'wx', 0o600), limit);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends; beyond the limit, or after the disk refused once, only the last words are kept. */
  async add(chunk: Uint8Array): Promise<void> {
    const text = this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.#tail = (this.#tail + text).slice(-tailCharacters);
    const part = chunk.subarray(0, Math.max(0, this.#limit - this.#bytes));
    this.#bytes += chunk.length;
    if (part.length === 0 || this.#problem !== null) return;
    try {
      await this.#file.appendFile(part);
    } catch (error) {
      this.#problem = errorCode(error);
    }
  }

  /** Closes the file; the last words, with what is missing in the file. */
  async close(): Promise<string> {
    this.#tail = (this.#tail + this.#decoder.end()).slice(-tailCharacters);
    await this.#file.close();
    const problem = this.#problem === null ? '' : `\n[the file is not whole: ${this.#problem}]`;
    const cut =
      this.#bytes > this.#limit ? `\n[the file holds the first ${this.#limit} of ${this.#bytes} bytes]` : '';
    return `${this.#tail}${problem}${cut}`;
  }
}
