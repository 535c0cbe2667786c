/** Lines of an input, one at a time; several may be waited for one after the other. Null: it ended. */
export class InputLines {
  readonly #lines: string[] = [];
  readonly #iterator: AsyncIterator<Uint8Array | string>;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #isOver = false;

  constructor(input: AsyncIterable<Uint8Array | string>) {
    this.#iterator = input[Symbol.asyncIterator]();
  }

  /** The next line without its end. */
  async next(): Promise<string | null> {
    while (this.#lines.length === 0 && !this.#isOver) await this.#read();
    return this.#lines.shift() ?? null;
  }

  async #read(): Promise<void> {
    const { value, done } = await this.#iterator.next();
    if (done === true) {
      this.#isOver = true;
      if (this.#rest !== '') this.#lines.push(this.#rest);
      return;
    }
    this.#rest += typeof value === 'string' ? value : this.#decoder.decode(value, { stream: true });
    const parts = this.#rest.split(/\r\n|[\r\n]/);
    this.#rest = parts.pop() ?? '';
    this.#lines.push(...parts);
  }
}
