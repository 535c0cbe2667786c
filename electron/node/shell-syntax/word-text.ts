/** A piece of a word: what the program gets, and the same with quoted characters blotted out (`\0`). */
export interface Piece {
  readonly text: string;
  readonly mask: string;
}

const quoted = '\0';

/** Everything quoted. */
export function quotedPiece(text: string): Piece {
  return { text, mask: quoted.repeat(text.length) };
}

/** Text outside of quotes: a backslash quotes the next character, one before a line's end joins the lines. */
export function barePiece(raw: string): Piece {
  let text = '';
  let mask = '';
  for (let index = 0; index < raw.length; index += 1) {
    const character = raw[index] ?? '';
    if (character !== '\\') {
      text += character;
      mask += character;
      continue;
    }
    index += 1;
    const next = raw[index];
    if (next === undefined) [text, mask] = [`${text}\\`, `${mask}${quoted}`];
    else if (next !== '\n') [text, mask] = [text + next, mask + quoted];
  }
  return { text, mask };
}

/** Text between double quotes: a backslash quotes only what would be special there. */
export function doubleQuotedPiece(raw: string): Piece {
  return quotedPiece(
    raw.replace(/\\([\s\S])/g, (whole, next: string) => {
      if (next === '\n') return '';
      return '$`"\\'.includes(next) ? next : whole;
    }),
  );
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** The text of `$'...'`; null where it is no plain ASCII text after all (bytes above 127, NUL, control letters). */
export function ansiText(raw: string): string | null {
  let exact = true;
  const text = raw.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|([\s\S]))/g,
    (_, hex: string | undefined, octal: string | undefined, letter: string | undefined) => {
      if (letter !== undefined) {
        const plain = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined;
        if (plain === undefined) exact = false;
        return plain ?? '';
      }
      const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
      if (code === 0 || code > 127) exact = false;
      return String.fromCharCode(code);
    },
  );
  return exact ? text : null;
}

/** True when the characters outside of quotes may become other words: file names, braces, a home. */
export function isPattern(mask: string): boolean {
  if (/[*?]/.test(mask) || /\[[^]*\]/.test(mask)) return true;
  if (/\{[^]*(?:,|\.\.)[^]*\}/.test(mask)) return true;
  return /^~|[=:]~/.test(mask);
}
