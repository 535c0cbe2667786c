/** Where the words of a hook's command are read from; absolute. */
export interface HookPlaces {
  /** The directory whose settings have the hook, for all others the session's. */
  readonly project: string;
  /** The session's directory, in which the hook runs. */
  readonly session: string;
  /** The root of the outermost repository around it. */
  readonly top: string;
  /** The person's home directory. */
  readonly home: string;
}

/** A place that a hook's command may name. `isScript`: it is written like one, so that it counts although nothing lies there. */
export interface NamedPath {
  readonly path: string;
  readonly isScript: boolean;
}

/** Of one command no more words are looked at, nor deeper nested ones (`sh -c "..."`). */
const mostWords = 200;
const deepest = 3;

const wordPattern = /(?:[^\s;|&()<>'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;
const scriptName = /\.(?:sh|bash|zsh|fish|js|mjs|cjs|ts|mts|cts|py|rb|pl|php|lua|ps1|jq|awk)$/;

/**
 * The places that a hook's command names literally, from the directories that it may run in: words, nested commands, and what follows
 * `=`, `:` or `,` in them. More than a shell would find, never less than what stands there in plain letters. Pure.
 */
export function namedPaths(command: string, places: HookPlaces): readonly NamedPath[] {
  const words = wordsOf(expanded(command, places), deepest).slice(0, mostWords);
  const bases = [...new Set([places.session, places.project])];
  const entered = words.flatMap((word, at) =>
    words[at - 1] === 'cd' ? bases.map((base) => absolute(word, base)) : [],
  );
  const found = new Map<string, boolean>();
  for (const word of words.flatMap(withTails)) {
    if (word === '' || word.startsWith('-') || /[$`*?[\]{}\0]/.test(word)) continue;
    const isScript = word.includes('/') || scriptName.test(word);
    for (const base of word.startsWith('/') ? ['/'] : [...bases, ...entered]) {
      const path = absolute(word, base);
      found.set(path, isScript || found.get(path) === true);
    }
  }
  return [...found].map(([path, isScript]) => ({ path, isScript }));
}

/** What stands for a directory that is known. */
function expanded(command: string, { project, session, top, home }: HookPlaces): string {
  return command
    .replaceAll(/\$\(git rev-parse --show-toplevel\)|`git rev-parse --show-toplevel`/g, () => top)
    .replaceAll(
      /\$(?:(?:KAIROS|CLAUDE)_PROJECT_DIR\b|\{(?:KAIROS|CLAUDE)_PROJECT_DIR(?::?-[^}]*)?\})/g,
      () => project,
    )
    .replaceAll(/\$(?:PWD\b|\{PWD\})|\$\(pwd\)|`pwd`/g, () => session)
    .replaceAll(/\$(?:HOME\b|\{HOME\})|(?<=^|[\s=:"'])~(?=\/)/g, () => home);
}

function wordsOf(text: string, left: number): string[] {
  return (text.match(wordPattern) ?? []).flatMap((raw) => {
    const word = unquoted(raw);
    return left > 0 && /[\s;|&()<>]/.test(word) ? [word, ...wordsOf(word, left - 1)] : [word];
  });
}

function unquoted(raw: string): string {
  return raw.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_all, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}

function withTails(word: string): string[] {
  return [word, ...word.split(/[=:,]/).slice(1)];
}

/** Without `.`, `..` and doubled slashes. */
function absolute(word: string, base: string): string {
  const kept: string[] = [];
  for (const segment of (word.startsWith('/') ? word : `${base}/${word}`).split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}
