const opening = /(?<!\\)"message"\s*:\s*"/;
/** The name of the member with the white space around it. */
const longestOpening = 200;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Reads the string member `message` out of a JSON object that comes in pieces: what a person is about to be told. */
export class SpokenText {
  /** What was not read yet: looked through again with each piece, so nothing else is kept. */
  #raw = '';
  #begun = false;
  #over = false;

  /** The text that became readable with this piece. */
  add(piece: string): string {
    if (this.#over) return '';
    this.#raw += piece;
    if (!this.#begun) {
      const found = opening.exec(this.#raw);
      if (found === null) {
        this.#raw = this.#raw.slice(-longestOpening);
        return '';
      }
      this.#begun = true;
      this.#raw = this.#raw.slice(found.index + found[0].length);
    }
    return this.#read();
  }

  #read(): string {
    let text = '';
    let at = 0;
    while (at < this.#raw.length) {
      const char = this.#raw[at] ?? '';
      if (char === '"') {
        this.#over = true;
        break;
      }
      const step = char === '\\' ? escaped(this.#raw, at) : { text: char, length: 1 };
      if (step === null) break;
      text += step.text;
      at += step.length;
    }
    this.#raw = this.#raw.slice(at);
    return text;
  }
}

/** The escape at `at`; null while it is not whole. */
function escaped(raw: string, at: number): { readonly text: string; readonly length: number } | null {
  const kind = raw[at + 1];
  if (kind === undefined) return null;
  if (kind !== 'u') return { text: escapes[kind] ?? kind, length: 2 };
  const digits = raw.slice(at + 2, at + 6);
  if (digits.length < 4) return null;
  return { text: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
}
