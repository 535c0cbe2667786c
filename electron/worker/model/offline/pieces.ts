const pairs: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
};

/** Takes one pair of the given opening quotes off when it encloses the whole text and does not occur inside. */
export function unquoteWhole(text: string, openings: readonly string[] = Object.keys(pairs)): string {
  const opening = text.charAt(0);
  const closing = pairs[opening];
  if (closing === undefined || !openings.includes(opening) || text.length < 2 || !text.endsWith(closing))
    return text;
  const inner = text.slice(1, -1);
  return inner.includes(closing) ? text : inner;
}

/** A path, question or duration without the quotes around it. */
export function unquote(text: string): string {
  return unquoteWhole(text).trim();
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** `\n`, `\t`, `\r` and `\\` become what they stand for; any other backslash stays. */
export function unescape(text: string): string {
  return text.replace(/\\([ntr\\])/g, (whole, letter: string) => escapes[letter] ?? whole);
}

/** Where a path ends: at a full-width colon or one before white space; else at the first colon that is no drive letter's. */
function separatorAt(text: string): number {
  const clear = /：|:(?=\s|$)/.exec(text);
  if (clear) return clear.index;
  const start = /^[A-Za-z]:[\\/]/.test(text) ? 2 : 0;
  return text.indexOf(':', start);
}

/** Reads `<path>: <rest>`; the path may stand in quotes. null when there is no separator or no path. */
export function splitTarget(text: string): { readonly path: string; readonly rest: string } | null {
  const quoted = splitQuoted(text);
  if (quoted !== null) return quoted;
  const at = separatorAt(text);
  if (at < 0) return null;
  const path = unquote(text.slice(0, at).trim());
  return path === '' ? null : { path, rest: text.slice(at + 1).trim() };
}

function splitQuoted(text: string): { readonly path: string; readonly rest: string } | null {
  const closing = pairs[text.charAt(0)];
  const end = closing === undefined ? -1 : text.indexOf(closing, 1);
  if (end < 0) return null;
  const path = text.slice(1, end).trim();
  const rest = /^\s*[:：]\s*([\s\S]*)$/.exec(text.slice(end + 1));
  return path === '' || rest === null ? null : { path, rest: rest[1] ?? '' };
}

/** Reads `<old> => <new>`. Quotes around both sides are taken off together; the old text must not be empty. */
export function splitReplacement(text: string): { readonly before: string; readonly after: string } | null {
  const spaced = /\s=>(?=\s|$)/.exec(text);
  const at = spaced ? spaced.index + 1 : text.indexOf('=>');
  if (at < 0) return null;
  const sides = [text.slice(0, at).trim(), text.slice(at + 2).trim()] as const;
  const bare = [unquoteWhole(sides[0]), unquoteWhole(sides[1])] as const;
  const both = bare[0] !== sides[0] && bare[1] !== sides[1];
  const [before, after] = both ? bare : sides;
  return before === '' ? null : { before: unescape(before), after: unescape(after) };
}
