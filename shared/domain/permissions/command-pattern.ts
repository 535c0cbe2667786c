import type { ShellWord } from './shell-facts.ts';

/**
 * What stands between the brackets of `Bash(...)`. `exact`: one text, as a person saw it. `glob`: literal pieces with anything
 * between them; `open` = the last piece may end the command or be followed by a space and anything (`git push:*`, `git push *`).
 */
export type CommandPattern =
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'glob'; readonly pieces: readonly string[]; readonly open: boolean };

/** Reads the inside of a rule on Bash; only a backslash directly before a star is an escape. */
export function commandPattern(spec: string): CommandPattern {
  const text = withoutBlanks(spec);
  const open = /(?:^|[^\\])(?::| )\*$/.test(text);
  const pieces = piecesOf(open ? withoutBlanks(text.slice(0, -2)) : text);
  const first = pieces[0] ?? '';
  if (pieces.length === 1 && !open) return { kind: 'exact', text: first };
  return { kind: 'glob', pieces, open: open && !(pieces.length === 1 && first === '') };
}

/** The text without the blanks around it that mean nothing to a shell; all others, and one that is quoted, belong to a word. */
export function withoutBlanks(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text[from])) from += 1;
  while (to > from && isBlank(text[to - 1])) to -= 1;
  return text[to - 1] === '\\' ? text.slice(from) : text.slice(from, to);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n';
}

function piecesOf(text: string): string[] {
  return text.split(/(?<!\\)\*/).map((piece) => piece.replaceAll('\\*', '*'));
}

/** What no literal of a rule can be: stands for a word whose value is not known or that is no single plain word. */
const opaque = '\0';

/** The words as a rule that allows is held against them; null: which program runs is not known. */
export function coverText(words: readonly ShellWord[]): string | null {
  return words[0]?.kind === 'literal' ? words.map(plainText).join(' ') : null;
}

function plainText({ kind, text }: ShellWord): string {
  return kind === 'literal' && text !== '' && !/\s/.test(text) ? text : opaque;
}

/** True when a text as a whole is one that the pattern stands for. */
export function matchesText(pattern: CommandPattern, text: string): boolean {
  if (pattern.kind === 'exact') return pattern.text === text;
  const [first = '', ...others] = pattern.pieces;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const last = others.pop();
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  if (last === undefined) return endsAt(pattern, text, at);
  if (!pattern.open) return text.length - last.length >= at && text.endsWith(last);
  for (let found = text.indexOf(last, at); found !== -1; found = text.indexOf(last, found + 1))
    if (endsAt(pattern, text, found + last.length)) return true;
  return false;
}

/** True when the pattern may end there: at the end, or for an open one before a space. */
function endsAt({ open }: { readonly open: boolean }, text: string, at: number): boolean {
  return at === text.length || (open && text[at] === ' ');
}

/** True when nothing that follows a text which the pattern matches makes it match no more. */
export function isOpenEnded(pattern: CommandPattern): boolean {
  return pattern.kind === 'glob' && (pattern.open || pattern.pieces.at(-1) === '');
}

/** True when some value of the words that are not known yet would match. */
export function mayMatchWords(pattern: CommandPattern, words: readonly ShellWord[]): boolean {
  const tokens: Token[] = [];
  for (const [index, { kind, text }] of words.entries()) {
    if (index > 0) tokens.push(' ');
    // One that is not known may also be several words, or none.
    if (kind === 'literal') tokens.push(...text.slice(0, longestCompared));
    else if (index > 0) tokens.splice(-1, 1, anything);
    else tokens.push(anything);
    if (tokens.length > longestCompared) break;
  }
  if (tokens.length > longestCompared) tokens.splice(longestCompared, tokens.length, anything);
  return mayBegin(pattern, tokens) && globsMeet(pattern, tokens);
}

/** Compared with a rule character by character; what comes later counts as anything. */
const longestCompared = 2_000;

/** A character; of two it is any number of any characters. */
type Token = string;
const anything: Token = '**';

/** False when the beginnings differ, which they mostly do. */
function mayBegin(pattern: CommandPattern, tokens: readonly Token[]): boolean {
  const first = pattern.kind === 'exact' ? pattern.text : (pattern.pieces[0] ?? '');
  for (let index = 0; index < first.length; index += 1) {
    const token = tokens[index];
    if (token === anything) return true;
    if (token !== first[index]) return false;
  }
  return true;
}

function tokensOf(pattern: CommandPattern): readonly Token[] {
  if (pattern.kind === 'exact') return pattern.text.split('');
  return pattern.pieces.flatMap((piece, index): Token[] => [
    ...(index > 0 ? [anything] : []),
    ...piece.split(''),
  ]);
}

/** True when some text is matched by both; the classical table, row by row. */
function globsMeet(pattern: CommandPattern, text: readonly Token[]): boolean {
  const open = pattern.kind === 'glob' && pattern.open;
  const rule = tokensOf(pattern);
  let row = [true, ...rule.map(() => false)];
  skipStars(row, rule);
  for (const token of text) {
    if (open && row[rule.length] === true && (token === ' ' || token === anything)) return true;
    row = step(row, rule, token);
    if (!row.includes(true)) return false;
  }
  return row[rule.length] === true;
}

/** Positions of the rule after one more token of the text. */
function step(row: readonly boolean[], rule: readonly Token[], token: Token): boolean[] {
  if (token === anything) {
    const from = row.indexOf(true);
    return row.map((_, index) => index >= from);
  }
  const next = row.map((here, index) => {
    if (here && rule[index] === anything) return true;
    return index > 0 && row[index - 1] === true && rule[index - 1] === token;
  });
  skipStars(next, rule);
  return next;
}

/** A star may also stand for nothing. */
function skipStars(row: boolean[], rule: readonly Token[]): void {
  for (const [index, token] of rule.entries()) {
    if (row[index] === true && token === anything) row[index + 1] = true;
  }
}

/** How many of the words are spelled out by the rule before its first star: what a person surely meant. */
export function wordsNamed(pattern: CommandPattern, words: readonly ShellWord[]): number {
  if (pattern.kind === 'exact') return words.length;
  const named = (pattern.pieces[0] ?? '').split(/\s+/);
  // A last piece that a star is glued to ("npm run te*") names no whole word.
  const whole = pattern.pieces.length === 1 ? named : named.slice(0, -1);
  const differs = whole.findIndex((text, index) => words[index]?.text !== text);
  return differs === -1 ? whole.length : differs;
}
