import type { CallFacts } from './call-facts.ts';
import type { ShellPart, ShellRedirect, ShellWord } from './shell-facts.ts';

/** Where words of a command are read from. */
export interface WordPlaces {
  /** The session's directory. */
  readonly dir: string;
  /** The person's home; null: not known. */
  readonly home: string | null;
}

/** A place that a word of a command may name; absolute, wildcards and what is known only later as they stand. */
export interface WordPath {
  readonly path: string;
  readonly kind: ShellWord['kind'];
}

/** The simple commands of a command; empty when it could not be read. */
export function partsOf({ shell }: Pick<CallFacts, 'shell'>): readonly ShellPart[] {
  return shell?.kind === 'parsed' ? shell.parts : [];
}

/** Every redirection of a command. */
export function redirectsOf(facts: Pick<CallFacts, 'shell'>): readonly ShellRedirect[] {
  const outer = facts.shell?.kind === 'parsed' ? facts.shell.redirects : [];
  return [...outer, ...partsOf(facts).flatMap(({ redirects }) => redirects)];
}

/** Every word of a command that could be seen: of programs, assignments and redirections. */
export function wordsOf(facts: Pick<CallFacts, 'shell'>): readonly ShellWord[] {
  const own = partsOf(facts).flatMap(partWords);
  return [...own, ...redirectsOf(facts).flatMap(({ target }) => (target === null ? [] : [target]))];
}

function partWords({ words, assignments }: ShellPart): readonly ShellWord[] {
  return [...words, ...assignments.flatMap(({ value }) => (value === null ? [] : [value]))];
}

/** The text as a shell would join it where quotes and backslashes only hide a word. */
export function withoutQuotes(text: string): string {
  return text.replaceAll(/\$(?=["'])|["'\\]/g, '');
}

/**
 * Places that the words of a command may name: a word itself, and what follows `=`, `:`, `,`, `@` or a short option in it; from the
 * session's directory and from those that the command changes to, `~` and `$HOME` as the person's home.
 */
export function pathsOf(facts: Pick<CallFacts, 'shell'>, places: WordPlaces): readonly WordPath[] {
  const dirs = workDirs(facts, places);
  return wordsOf(facts).flatMap((word) => wordPathsFrom(dirs, word, places.home));
}

/** The same for some words of a command; `dirs`: where they may be read from. */
export function pathsOfWords(
  words: readonly ShellWord[],
  dirs: readonly string[],
  home: string | null,
): readonly WordPath[] {
  return words.flatMap((word) => wordPathsFrom(dirs, word, home));
}

/** Words times directories that are looked at; a command that is written by a person or for a purpose has far fewer. */
const mostPlaces = 20_000;

/** True for a command whose words may name more places than are looked at. */
export function namesTooMuch(facts: Pick<CallFacts, 'shell'>, places: WordPlaces): boolean {
  return wordsOf(facts).length * workDirs(facts, places).length > mostPlaces;
}

/** The session's directory and those that a command changes to. */
export function workDirs(facts: Pick<CallFacts, 'shell'>, places: WordPlaces): readonly string[] {
  return [places.dir, ...changedDirs(facts, places)];
}

function changedDirs(facts: Pick<CallFacts, 'shell'>, { dir, home }: WordPlaces): readonly string[] {
  return partsOf(facts).flatMap(({ words, goesTo }) => {
    const [program, target] = words;
    if (program?.text !== 'cd' && program?.text !== 'pushd') return [];
    return target === undefined
      ? home === null
        ? []
        : [home]
      : [goesTo ?? absolute(target.text, dir, home)];
  });
}

function wordPathsFrom(
  dirs: readonly string[],
  { text, kind }: ShellWord,
  home: string | null,
): readonly WordPath[] {
  const plain = kind === 'dynamic' ? withoutQuotes(text) : text;
  const tails = plain.split(/[=:,@]/).slice(1);
  const option = /^-[A-Za-z](.+)$/.exec(plain)?.[1];
  const texts = [plain, ...tails, ...(option === undefined ? [] : [option])].filter((each) => each !== '');
  return dirs.flatMap((dir) => texts.map((each) => ({ path: absolute(each, dir, home), kind })));
}

/** True for a place that is known now: spelled out, or from the person's home or the session's directory on. */
export function isKnownPlace({ path, kind }: WordPath): boolean {
  return kind === 'literal' || !/[$`*?[{(]/.test(path);
}

function absolute(text: string, dir: string, home: string | null): string {
  const own = home === null ? text : text.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home);
  const here = own.replace(/^(?:\$PWD|\$\{PWD\}|~\+)(?=\/|$)/, () => dir);
  return normal(here.startsWith('/') ? here : `${dir}/${here}`);
}

/** Without `.`, `..` and doubled slashes. */
function normal(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

/** Programs that read files they are given and change none of them. */
const readers = new Set(
  'cat tac nl ls head tail grep egrep fgrep rg wc stat file less more diff cmp md5sum sha256sum du strings od xxd hexdump realpath readlink basename dirname test [ cd echo printf tree'.split(
    ' ',
  ),
);

/** True for a simple command that changes no file by the names it is given. */
export function onlyReads({ words }: ShellPart): boolean {
  const first = words[0]?.text ?? '';
  const program = first.slice(first.lastIndexOf('/') + 1);
  if (program !== 'find') return readers.has(program);
  return !words.some(({ text }) => /^-(?:exec|ok|delete|fprint|fls)/.test(text));
}
