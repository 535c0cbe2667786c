import type { CallFacts } from './call-facts.ts';
import { programsOf } from './risk-programs.ts';
import { isInside } from './self-protection.ts';
import type { ShellPart, ShellWord } from './shell-facts.ts';
import {
  isKnownPlace,
  partsOf,
  pathsOfWords,
  redirectsOf,
  workDirs,
  type WordPlaces,
} from './shell-words.ts';

/** Places outside the session's directory that a call changes, each once. */
export interface OutsidePlaces {
  readonly deleted: readonly string[];
  readonly written: readonly string[];
  /** A link is made to them: what is written through it later lands there. */
  readonly linked: readonly string[];
}

/** What a call changes outside the session's directory, as far as its words say. */
export function outsidePlaces(facts: CallFacts, where: WordPlaces): OutsidePlaces {
  const written = facts.access === 'write' ? facts.paths : redirectTargets(facts, where);
  const parts = partsWithDirs(facts, where).map(([part, dir]) => touched(part, dir, where.home));
  const outside = (paths: readonly string[]): readonly string[] => [
    ...new Set(paths.filter((path) => !isInside(path, where.dir) && !devices.test(path))),
  ];
  return {
    deleted: outside(parts.flatMap(({ deleted }) => deleted)),
    written: outside([...written, ...parts.flatMap((part) => part.written)]),
    linked: outside(parts.flatMap(({ linked }) => linked)),
  };
}

const devices = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/;

function redirectTargets(facts: CallFacts, where: WordPlaces): readonly string[] {
  return redirectsOf(facts).flatMap(({ access, target, paths }) => {
    if (access !== 'write') return [];
    return paths.length > 0 || target === null ? paths : first([target], where.dir, where.home);
  });
}

/** Every simple command with the directory that it likely runs in. */
function partsWithDirs(facts: CallFacts, where: WordPlaces): readonly (readonly [ShellPart, string])[] {
  let dir = where.dir;
  return partsOf(facts).map((part) => {
    const own = dir;
    const shell = { kind: 'parsed' as const, parts: [part], redirects: [], odd: [] };
    dir = workDirs({ shell }, { dir, home: where.home }).at(-1) ?? dir;
    return [part, own] as const;
  });
}

/** Which of the words are changed. `last`: where it goes is the last one, or what `-t` names; `all`: each of them; `script`: each behind a script. */
type Writer = 'all' | 'script' | 'last' | 'link' | 'delete' | 'move' | { readonly option: RegExp };

const writers: Readonly<Record<string, Writer>> = {
  cp: 'last',
  install: 'last',
  rsync: 'last',
  scp: 'last',
  mv: 'move',
  ln: 'link',
  rm: 'delete',
  rmdir: 'delete',
  unlink: 'delete',
  shred: 'delete',
  find: 'delete',
  tee: 'all',
  touch: 'all',
  mkdir: 'all',
  chmod: 'all',
  chown: 'all',
  chgrp: 'all',
  truncate: 'all',
  sed: 'script',
  perl: 'script',
  dd: { option: /^(of=)(.*)$/ },
  curl: { option: /^(-o|--output|--output-dir)(?:=(.*))?$/ },
  wget: { option: /^(-O|-P|--output-document|--directory-prefix)(?:=(.*))?$/ },
  tar: { option: /^(-C|--directory)(?:=(.*))?$/ },
  unzip: { option: /^(-d)$/ },
  git: { option: /^(--output|--work-tree)(?:=(.*))?$/ },
};

const nothing: OutsidePlaces = { deleted: [], written: [], linked: [] };

function touched(part: ShellPart, dir: string, home: string | null): OutsidePlaces {
  const texts = part.words.map(({ text }) => text);
  for (const [at, program] of programsOf(texts)) {
    const writer = Object.hasOwn(writers, program) ? writers[program] : undefined;
    const words = part.words.slice(at + 1);
    if (writer !== undefined && changes(program, words)) return withWriter(writer, words, part, dir, home);
  }
  return nothing;
}

/** Some only write when an option says so. */
function changes(program: string, words: readonly ShellWord[]): boolean {
  const has = (pattern: RegExp): boolean => words.some(({ text }) => pattern.test(text));
  if (program === 'sed' || program === 'perl') return has(/^(?:-[a-zA-Z]*i|--in-place)/);
  return program !== 'find' || has(/^-delete$/);
}

function withWriter(
  writer: Writer,
  words: readonly ShellWord[],
  { leadsTo = [] }: ShellPart,
  dir: string,
  home: string | null,
): OutsidePlaces {
  const places = (given: readonly ShellWord[]): readonly string[] => first(given, dir, home);
  if (typeof writer === 'object') return { ...nothing, written: places(optionValues(words, writer.option)) };
  const given = words.filter(({ text }) => !text.startsWith('-'));
  const target = optionValues(words, /^(-t|--target-directory)(?:=(.*))?$/);
  const goal = target.length > 0 ? target : given.slice(-1);
  switch (writer) {
    case 'delete':
      return { ...nothing, deleted: places(given) };
    case 'all':
      return { ...nothing, written: [...places(given), ...leadsTo] };
    case 'script':
      return { ...nothing, written: [...places(withoutScript(words)), ...leadsTo] };
    case 'last':
      return { ...nothing, written: [...places(goal), ...leadsTo] };
    case 'move':
      return {
        ...nothing,
        deleted: places(given.filter((word) => !goal.includes(word))),
        written: places(goal),
      };
    case 'link':
      return {
        deleted: [],
        written: given.length > 1 ? places(goal) : [],
        linked: places(given.length > 1 ? given.filter((word) => !goal.includes(word)) : given),
      };
  }
}

/** The first word of sed is its script, where no option gives one. */
function withoutScript(words: readonly ShellWord[]): readonly ShellWord[] {
  const given = words.filter(({ text }) => !text.startsWith('-'));
  return words.some(({ text }) => /^(?:-[a-zA-Z]*[ef]|--expression|--file)/.test(text))
    ? given
    : given.slice(1);
}

function optionValues(words: readonly ShellWord[], option: RegExp): readonly ShellWord[] {
  return words.flatMap((word, at) => {
    const found = option.exec(word.text);
    if (found === null) return [];
    const own = found[2];
    if (own !== undefined) return [{ ...word, text: own }];
    const next = words[at + 1];
    return next === undefined ? [] : [next];
  });
}

/** The place that each word names as a whole; none for what is known only when it runs. */
function first(words: readonly ShellWord[], dir: string, home: string | null): readonly string[] {
  return words.flatMap((word) => {
    const place = pathsOfWords([word], [dir], home)[0];
    const isKnown = place !== undefined && (isKnownPlace(place) || place.path.startsWith('/'));
    return isKnown && word.text !== '' ? [place.path] : [];
  });
}

const keyFile =
  /\/\.ssh\/(?!config$|known_hosts|[^/]*\.pub$)|\/\.gnupg\/|\/\.env(?:\.(?!example$|sample$|template$|dist$)[^/]+)?$|\/\.(?:netrc|pgpass|git-credentials|npmrc|pypirc|vault-token)$|\/\.aws\/|\/\.kube\/config$|\/\.docker\/config\.json$|\/\.config\/(?:gcloud|gh)\/|\/(?:credentials|secrets?\.(?:json|ya?ml|toml|txt|ini))(?:\.json)?$|\/id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:pem|key|p12|pfx|kdbx)$|^\/etc\/(?:g?shadow|sudoers)$|\/proc\/[^/]+\/environ$/i;

/** Files with keys or passwords that a call names to read, each once. */
export function keyFiles(facts: CallFacts, where: WordPlaces): readonly string[] {
  if (facts.access === 'read') return facts.paths.filter((path) => keyFile.test(path));
  const dirs = workDirs(facts, where);
  const words = partsOf(facts).flatMap((part) => part.words.slice(1));
  const read = redirectsOf(facts).filter(({ access }) => access === 'read');
  const targets = read.flatMap(({ target }) => (target === null ? [] : [target]));
  const led = [
    ...partsOf(facts).flatMap(({ leadsTo = [] }) => leadsTo),
    ...read.flatMap(({ paths }) => paths),
  ];
  const named = pathsOfWords([...words, ...targets], dirs, where.home).map(({ path }) => path);
  return [...new Set([...named, ...led].filter((path) => keyFile.test(path)))];
}
