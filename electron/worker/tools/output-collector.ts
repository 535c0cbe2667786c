import { StringDecoder } from 'node:string_decoder';
import type { SpillFile } from './spill-file.ts';

/** Characters kept of the beginning and of the end of an output. */
const headCharacters = 15_000;
const tailCharacters = 15_000;

/** What is left of an output: cut in the middle when it is long; `spill` is the file with all of it. */
export interface Collected {
  readonly text: string;
  readonly spill: string | null;
}

/** Takes any amount of output in constant memory: keeps head and tail, lets the whole go to a spill file. */
export class OutputCollector {
  readonly #decoder = new StringDecoder('utf8');
  readonly #spill: SpillFile;
  #head = '';
  #tail = '';
  #characters = 0;
  /** Chunks that are not in the spill file yet, while it is not known that one is needed. */
  #held: Uint8Array[] | null = [];

  constructor(spill: SpillFile) {
    this.#spill = spill;
  }

  /** Resolves when the next chunk may come. */
  async add(chunk: Uint8Array): Promise<void> {
    this.#keep(this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
    if (this.#held === null) return this.#spill.write(chunk);
    this.#held.push(chunk);
    if (this.#characters <= headCharacters + tailCharacters) return;
    const held = this.#held;
    this.#held = null;
    for (const earlier of held) await this.#spill.write(earlier);
  }

  /** Call once, after the last chunk. */
  async finish(): Promise<Collected> {
    this.#keep(this.#decoder.end());
    const left = this.#characters - this.#head.length - this.#tail.length;
    if (left === 0) return { text: this.#head + this.#tail, spill: null };
    const spill = await this.#spill.finish();
    const where =
      spill.path === null ? `it could not be kept: ${spill.note}` : `${spill.note}: ${spill.path}`;
    const cut = `\n\n[... ${left} of ${this.#characters} characters left out; ${where} ...]\n\n`;
    return { text: this.#head + cut + this.#tail, spill: spill.path };
  }

  #keep(text: string): void {
    this.#characters += text.length;
    const room = headCharacters - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === '') return;
    this.#tail = (this.#tail + rest).slice(-tailCharacters);
  }
}
