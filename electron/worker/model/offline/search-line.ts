import { unquote, unquoteWhole } from './pieces.ts';

/** What is looked for and where; `path` null: in the session's directory. */
export interface SearchWords {
  readonly what: string;
  readonly path: string | null;
}

const englishPlace = /^(.+?)\s+in\s+(\S+|"[^"]+"|'[^']+'|`[^`]+`|“[^”]+”)$/is;
const chinesePlace =
  /^(.+?)[\s，,]*(?:在|于|於)\s*(\S+?|"[^"]+"|“[^”]+”|「[^」]+」)\s*(?:中|里|裡|下|内|內)?$/su;

/** Splits `<what> in <path>`, `<什么> 在 <path>`; null when nothing is named. */
function splitPlace(rest: string): SearchWords | null {
  const match = englishPlace.exec(rest) ?? chinesePlace.exec(rest);
  const what = (match?.[1] ?? rest).trim();
  return what === '' ? null : { what, path: match?.[2] === undefined ? null : unquote(match[2]) };
}

/** `find <name or glob> [in <path>]`: a bare name is found at any depth, also as a part of a name; null when it cannot be read. */
export function readFind(rest: string): { readonly pattern: string; readonly path: string | null } | null {
  const words = splitPlace(rest);
  if (words === null) return null;
  const what = unquote(words.what);
  // Several words without quotes are a sentence, not a name.
  if (what === '' || (what === words.what && /\s/.test(what))) return null;
  if (what.includes('/')) return { pattern: what, path: words.path };
  const pattern = /[*?[\]{}]/.test(what) ? what : `*${what}*`;
  return { pattern: `**/${pattern}`, path: words.path };
}

/** `search <pattern> [in <path>]`: a regular expression; in quotes it is taken as it stands. */
export function readSearch(rest: string): { readonly pattern: string; readonly path: string | null } | null {
  const words = splitPlace(rest.replace(/^for\s+/i, ''));
  if (words === null) return null;
  const bare = unquoteWhole(words.what);
  if (bare.trim() === '') return null;
  const literal = bare !== words.what;
  return { pattern: literal ? bare.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&') : bare, path: words.path };
}
