const opening = /(?<!\\)"message"\s*:\s*"/;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Reads the string member `message` out of a JSON object that comes in pieces: what a person is about to be told. */
export class SpokenText {
  #raw = '';
  /** Where the next character of the message is; null: it has not begun. */
  #at: number | null = null;
  #over = false;

  /** The text that became readable with this piece. */
  add(piece: string): string {
    if (this.#over) return '';
    this.#raw += piece;
    if (this.#at === null) {
      const found = opening.exec(this.#raw);
      if (found === null) return '';
      this.#at = found.index + found[0].length;
    }
    return this.#read(this.#at);
  }

  #read(from: number): string {
    let text = '';
    let at = from;
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
    this.#at = at;
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
