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
  const text = spec.trim();
  const open = /(?:^|[^\\])(?::| )\*$/.test(text);
  const pieces = piecesOf(open ? text.slice(0, -2).trimEnd() : text);
  const first = pieces[0] ?? '';
  if (pieces.length === 1 && !open) return { kind: 'exact', text: first };
  return { kind: 'glob', pieces, open: open && !(pieces.length === 1 && first === '') };
}

function piecesOf(text: string): string[] {
  return text.split(/(?<!\\)\*/).map((piece) => piece.replaceAll('\\*', '*'));
}

/** What no literal of a rule can be: stands for a word whose value is not known or that is no single plain word. */
const opaque = '\0';

/** True when the pattern covers these words: its literals match only what the program surely gets. */
export function coversWords(pattern: CommandPattern, words: readonly ShellWord[]): boolean {
  if (words[0]?.kind !== 'literal') return false;
  const text = words.map(plainText).join(' ');
  return pattern.kind === 'exact' ? pattern.text === text : matchesText(pattern, text);
}

function plainText({ kind, text }: ShellWord): string {
  return kind === 'literal' && text !== '' && !/\s/.test(text) ? text : opaque;
}

/** True when a text as a whole is one that the pattern stands for. */
export function matchesText(pattern: CommandPattern, text: string): boolean {
  if (pattern.kind === 'exact') return pattern.text === text;
  return globsMeet(tokensOf(pattern), [...text]);
}

/** True when some value of the words that are not known yet would match. */
export function mayMatchWords(pattern: CommandPattern, words: readonly ShellWord[]): boolean {
  const tokens: Token[] = [];
  for (const [index, { kind, text }] of words.entries()) {
    if (index > 0) tokens.push(' ');
    // One that is not known may also be several words, or none.
    if (kind === 'literal') tokens.push(...text);
    else if (index > 0) tokens.splice(-1, 1, anything);
    else tokens.push(anything);
    if (tokens.length > longestCompared) break;
  }
  if (tokens.length > longestCompared) tokens.splice(longestCompared, tokens.length, anything);
  return globsMeet(tokensOf(pattern), tokens);
}

/** Compared with a rule character by character; what comes later counts as anything. */
const longestCompared = 2_000;

/** A character, or any number of any characters. */
type Token = string | typeof anything;
const anything = Symbol('anything');

function tokensOf(pattern: CommandPattern): readonly Token[] {
  if (pattern.kind === 'exact') return [...pattern.text];
  const tokens: Token[] = [];
  for (const [index, piece] of pattern.pieces.entries()) {
    if (index > 0) tokens.push(anything);
    tokens.push(...piece);
  }
  return pattern.open ? [...tokens, end] : tokens;
}

/** The end of a prefix: nothing, or a space and anything. */
const end = '\uFFFFend';

/** True when some text is matched by both; the classical table, row by row. */
function globsMeet(pattern: readonly Token[], text: readonly Token[]): boolean {
  const open = pattern.at(-1) === end;
  const rule = open ? pattern.slice(0, -1) : pattern;
  let row = reachable(new Array<boolean>(rule.length + 1).fill(false), rule, true);
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
  const next = row.map((_, index) => {
    const here = rule[index - 1];
    if (index > 0 && row[index - 1] === true && here === token) return true;
    return row[index] === true && rule[index] === anything;
  });
  return reachable(next, rule, false);
}

/** A star may also stand for nothing. */
function reachable(row: boolean[], rule: readonly Token[], start: boolean): boolean[] {
  if (start) row[0] = true;
  for (const [index, token] of rule.entries()) {
    if (row[index] === true && token === anything) row[index + 1] = true;
  }
  return row;
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
