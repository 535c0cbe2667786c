import type { CallFacts, Decision } from './call-facts.ts';
import { type Platform, plainPath } from './path-patterns.ts';
import type { ShellWord } from './shell-facts.ts';
import { namesTooMuch, partsOf, pathsOf, redirectsOf, withoutQuotes, wordsOf } from './shell-words.ts';

/** What protects Kairos from its own agent (design 30). Real, absolute paths without a trailing slash. */
export interface SelfProtection {
  readonly home: string;
  readonly scratch: string;
  /** Texts that make a command ask in every mode: the home as people write it, the port. */
  readonly words: readonly string[];
  /** Whose machine it is; absent: not known, and Linux. */
  readonly person?: { readonly home: string; readonly platform: Platform };
}

/** True when `path` is `folder` or lies in it. Both real and absolute. */
export function isInside(path: string, folder: string): boolean {
  const separator = /^[A-Za-z]:\\/.test(folder) ? '\\' : '/';
  return path === folder || path.startsWith(folder.endsWith(separator) ? folder : `${folder}${separator}`);
}

/** Files of Kairos's home are closed to its agent in every mode, but its scratch folder. */
export function denySelf({ paths }: Pick<CallFacts, 'paths'>, self: SelfProtection): Decision | null {
  const inHome = paths.some((path) => isOwn(path, self));
  return inHome
    ? { behavior: 'deny', by: 'Kairos keeps its own home closed to its agent', rule: null }
    : null;
}

/** Where the case of letters does not count, no other case leads around it. */
function isOwn(path: string, { home, scratch, person }: SelfProtection): boolean {
  const platform = person?.platform ?? 'linux';
  const plain = (each: string): string =>
    platform === 'linux' ? each : plainPath(each, platform).toLowerCase();
  return isInside(plain(path), plain(home)) && !isInside(plain(path), plain(scratch));
}

/** Commands that name Kairos, its home or its port, and ways into other processes, ask in every mode. */
export function askSelf(facts: CallFacts, dir: string, self: SelfProtection): Decision | null {
  if (facts.access !== 'command') return facts.paths.some(entersProcess) ? ask(processText) : null;
  if (namesTooMuch(facts, { dir, home: self.person?.home ?? null }))
    return ask('it names more places than Kairos looks at');
  if (namesKairos(facts, self) || reachesHome(facts, dir, self))
    return ask('the command names Kairos, its home or its port');
  const texts = [facts.subject, withoutQuotes(facts.subject), ...wordsOf(facts).map(({ text }) => text)];
  const paths = pathsOf(facts, { dir, home: self.person?.home ?? null }).map(({ path }) => path);
  const led = partsOf(facts).flatMap(({ leadsTo = [] }) => leadsTo);
  return [...texts, ...paths, ...led].some(entersProcess) ? ask(processText) : null;
}

const processText = 'it looks into a running process, where the keys of Kairos may be';

function ask(by: string): Decision {
  return { behavior: 'ask', by, rule: null };
}

/** The text itself, what is left of it without quotes, and each word as its program gets it. */
function namesKairos(facts: CallFacts, { words }: SelfProtection): boolean {
  const texts = [facts.subject, withoutQuotes(facts.subject), ...wordsOf(facts).map(({ text }) => text)];
  const names = ['kairos', ...words].filter((word) => word !== '').map(folded);
  return texts.map(folded).some((text) => names.some((name) => text.includes(name)));
}

/** Compatibility forms and cases of letters count as the letter: some file systems take one for the other. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** A word or redirection that leads into the home, however it is written from the session's directory. */
function reachesHome(facts: CallFacts, dir: string, self: SelfProtection): boolean {
  const led = partsOf(facts).flatMap(({ leadsTo = [] }) => leadsTo);
  const redirected = [...redirectsOf(facts).flatMap(({ paths }) => paths), ...led].some((path) =>
    isOwn(path, self),
  );
  const places = { dir, home: self.person?.home ?? null };
  return redirected || pathsOf(facts, places).some(({ path, kind }) => leadsInto(path, self, kind));
}

function leadsInto(path: string, self: SelfProtection, kind: ShellWord['kind']): boolean {
  if (kind === 'literal') return isOwn(path, self);
  return couldBeUnder(path, self.home) && !isInside(path, self.scratch);
}

/** True when a path with wildcards may name `folder` or something in it. */
export function couldBeUnder(path: string, folder: string): boolean {
  const wanted = folder.split('/');
  const given = path.split('/');
  if (given.includes('**')) return false;
  return given.length >= wanted.length && wanted.every((name, at) => fits(given[at] ?? '', name));
}

/** A wildcard does not match a leading dot; what is in brackets or braces may be anything. */
function fits(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!/[*?[{]/.test(pattern) || (name.startsWith('.') && !/^[.[{]/.test(pattern))) return false;
  return matchesWildcards(
    pattern.replaceAll(/\{[^}]*\}?|\[[^\]]*\]?/g, '*').toLowerCase(),
    name.toLowerCase(),
  );
}

/** `*` and `?`, without the endless tries of a regular expression: a star is only ever made longer. */
function matchesWildcards(pattern: string, name: string): boolean {
  let [at, star, from] = [0, -1, 0];
  for (let index = 0; index < name.length; ) {
    if (pattern[at] === '*') {
      star = at;
      from = index;
      at += 1;
    } else if (pattern[at] === '?' || pattern[at] === name[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      from += 1;
      index = from;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

/** `/proc/<pid>/environ`, `.../root`, `.../fd/3`: another process's memory, variables and files. */
function entersProcess(text: string): boolean {
  return /\/proc\/[^/\s]+\/(?:task\/[^/\s]+\/)?(?:environ|mem|map_files|root|cwd|fd|\*|\?)/.test(text);
}
