import ignore from 'ignore';

/** Systems differ in how they write paths and whether letters' case counts. */
export type Platform = 'linux' | 'darwin' | 'win32';

/** What the beginnings of patterns stand for; real and absolute. */
export interface PatternPlaces {
  /** The session's directory: `./` and patterns without a beginning. */
  readonly dir: string;
  /** The person's home, for `~/`; null: not known, then allow rules with it match nothing and the others everything. */
  readonly home: string | null;
  readonly platform: Platform;
}

/** A gitignore pattern that begins at the root of the file system, `!` in front where it takes back what one before it matched. */
export type RootPattern = string;

/** What is wrong with a path pattern, to follow "Rule ..."; null: nothing. */
export function patternProblem(pattern: string): string | null {
  const body = pattern.replace(/^!/, '');
  if (body.trim() === '') return 'has an empty pattern';
  if (hasControl(body)) return 'has a character in its pattern that no path is written with';
  const bare = body.replaceAll(/\\./gs, '_');
  if (bare.includes('\\')) return 'ends its pattern with a backslash that escapes nothing';
  if (/[{}]/.test(bare))
    return 'uses braces, which these patterns do not know; write a rule for each of them';
  const outside = bare.replaceAll(/\[[!^]?\]?[^\]]*\]/g, '_');
  if (outside.includes('[')) return 'has a bracket in its pattern that is not closed';
  if (/\[[^\]]*(?:\[:|\/)/.test(bare)) return 'uses a bracket expression that these patterns do not know';
  return segmentProblem(bare);
}

function segmentProblem(bare: string): string | null {
  const path = bare.replace(/^(?:\/\/|\/|~\/|\.\/)/, '').replace(/\/$/, '');
  const segments = path.split('/');
  if (segments.some((segment) => segment === '..' || (segment === '.' && segments.length > 1)))
    return 'has "." or ".." inside its path; write it from the root, with // in front';
  if (segments.length > 1 && segments.includes('')) return 'has two slashes in a row inside its path';
  if (/^~[^/]/.test(bare)) return 'names the home of somebody; only ~/ is known';
  return null;
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < ' ');
}

/** The pattern from the root of the file system on; null when it begins at a home that is not known. */
export function rootPattern(pattern: string, base: string, places: PatternPlaces): RootPattern | null {
  const negated = pattern.startsWith('!');
  const body = negated ? pattern.slice(1) : pattern;
  const from = anchored(body, base, places);
  return from === null ? null : `${negated ? '!' : ''}${from}`;
}

function anchored(body: string, base: string, { dir, home, platform }: PatternPlaces): string | null {
  const below = (folder: string, rest: string): string =>
    `${escapePattern(plainPath(folder, platform)).replace(/\/$/, '')}/${rest}`;
  if (body.startsWith('//')) return body.slice(1);
  if (body === '~' || body.startsWith('~/')) {
    return home === null ? null : below(home, body.slice(2)).replace(/\/$/, body.endsWith('/') ? '/' : '');
  }
  if (body.startsWith('/')) return below(base, body.slice(1));
  if (body === '.' || body === './') return below(dir, '**');
  if (body.startsWith('./')) return below(dir, body.slice(2));
  // As in a .gitignore of the directory: a name alone is meant at any depth, with a slash inside it begins there.
  return body.slice(0, -1).includes('/') ? below(dir, body) : below(dir, `**/${body}`);
}

/** Text as a pattern that matches only itself. */
export function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]{}!#~]/g, String.raw`\$&`).replace(/ $/, String.raw`\ `);
}

/** A path with slashes, as patterns are written: `C:\a` is `/c/a`. */
export function plainPath(path: string, platform: Platform): string {
  if (platform === 'darwin') return path.normalize('NFC');
  if (platform !== 'win32') return path;
  return path
    .replaceAll('\\', '/')
    .replace(/^([A-Za-z]):/, (_drive, letter: string) => `/${letter.toLowerCase()}`);
}

/** Holds paths against patterns of one list, in which a later `!pattern` takes back what an earlier one matched. */
export interface PathMatcher {
  /** True when the patterns cover the file at an absolute path. */
  file(path: string): boolean;
  /** True when they cover a directory and everything that may lie in it. */
  tree(path: string): boolean;
}

/** A name that no pattern spells, so that only wildcards match it: what matches it matches every name. */
const anyName = '\u{E000}\u{E001}\u{E000}\u{E001}';

/** A matcher for patterns of one list. */
export function pathMatcher(patterns: readonly RootPattern[], platform: Platform): PathMatcher {
  const list = ignore({ ignorecase: platform !== 'linux', allowRelativePaths: true });
  for (const pattern of patterns)
    list.add({ pattern: platform === 'darwin' ? pattern.normalize('NFC') : pattern });
  const covers = (path: string): boolean => path !== '' && list.ignores(path);
  // What fits one character or leaves one out fits some names and not others; what is taken back may lie anywhere below.
  const vouches = patterns.every((pattern) => !/^!|[?[]|\u{E000}/u.test(pattern.replaceAll(/\\./gs, '_')));
  const inside = (path: string): string => plainPath(path, platform).replace(/^\/+/, '').replace(/\/+$/, '');
  return {
    file: (path) => covers(inside(path)),
    tree(path) {
      const folder = inside(path);
      const below = folder === '' ? '' : `${folder}/`;
      // What lies in a directory that is matched cannot be taken back.
      return covers(below) || (vouches && covers(`${below}${anyName}`));
    },
  };
}

/** True for files that one of the lists covers; what a search found is held against it. */
export function hiddenFiles(
  lists: readonly (readonly RootPattern[])[],
  platform: Platform,
): (path: string) => boolean {
  const matchers = lists.map((patterns) => pathMatcher(patterns, platform));
  return (path) => matchers.some((matcher) => matcher.file(path));
}
