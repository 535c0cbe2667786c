import type { CallFacts } from './call-facts.ts';
import { couldBeUnder } from './self-protection.ts';
import type { ShellPart, ShellWord } from './shell-facts.ts';
import { onlyReads, partsOf, pathsOfWords, redirectsOf, workDirs, type WordPlaces } from './shell-words.ts';

/** What a file is that hooks run and a call may change (design 31); null: it changes none. `hookFiles`: absolute, as named and where they are. */
export function hookFileKind(
  facts: CallFacts,
  where: WordPlaces,
  hookFiles: readonly string[],
): string | null {
  if (hookFiles.length === 0) return null;
  const known = new Set(hookFiles.map(folded));
  const isChanged =
    facts.access === 'write'
      ? facts.paths.some((path) => known.has(folded(path)))
      : commandChanges(facts, where, known);
  return isChanged ? 'a file that a hook runs' : null;
}

/** The case of letters never counts. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function commandChanges(facts: CallFacts, where: WordPlaces, known: ReadonlySet<string>): boolean {
  if (facts.access !== 'command') return false;
  const redirects = redirectsOf(facts).filter(({ access }) => access === 'write');
  const targets = redirects.flatMap(({ target, paths }) => [
    ...paths,
    ...(target === null ? [] : placesOf(facts, where, [target])),
  ]);
  const changed = partsOf(facts).filter((part) => !onlyReads(part) && !onlyStores(part));
  const names = new Set([...known].map((path) => path.slice(path.lastIndexOf('/') + 1)));
  return (
    targets.some((path) => hits(path, known)) ||
    changed.some((part) => {
      const words = givenWords(part);
      const led = words.length === part.words.length ? (part.leadsTo ?? []) : [];
      // `cp elsewhere/check.sh .` names the file by its last part alone.
      const copies = copiers.has(programOf(part)) && words.some(({ text }) => names.has(lastName(text)));
      return copies || [...placesOf(facts, where, words), ...led].some((path) => hits(path, known));
    })
  );
}

const copiers = new Set(['cp', 'mv', 'install', 'ln', 'rsync', 'scp']);
const interpreters = /^(?:(?:ba|z|da|k|fi)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua)$/;

/** Running such a file is none of its changes: neither the program is looked at, nor the first file of an interpreter. */
function givenWords(part: ShellPart): readonly ShellWord[] {
  const rest = part.words.slice(1);
  if (!interpreters.test(programOf(part)) || rest[0]?.text.startsWith('-') === true) return rest;
  return rest.slice(1);
}

function programOf({ words }: ShellPart): string {
  return lastName(words[0]?.text ?? '');
}

function lastName(text: string): string {
  return folded(text.slice(text.lastIndexOf('/') + 1));
}

/** Git's own reading, and what only keeps the file as it is. */
function onlyStores({ words }: ShellPart): boolean {
  return words[0]?.text === 'git' && /^(?:add|commit|diff|log|show|blame|status)$/.test(words[1]?.text ?? '');
}

function placesOf(facts: CallFacts, where: WordPlaces, words: readonly ShellWord[]): readonly string[] {
  return pathsOfWords(words, workDirs(facts, where), where.home).map(({ path }) => path);
}

/** A place with wildcards is what it may name. */
function hits(path: string, known: ReadonlySet<string>): boolean {
  const plain = folded(path);
  if (known.has(plain)) return true;
  if (!/[*?[{]/.test(plain)) return false;
  return [...known].some(
    (file) => plain.split('/').length === file.split('/').length && couldBeUnder(plain, file),
  );
}
