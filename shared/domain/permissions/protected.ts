import type { CallFacts, Decision } from './call-facts.ts';
import { hookFileKind } from './hook-file-changes.ts';
import { onlyReads, partsOf, pathsOfWords, redirectsOf, workDirs, type WordPlaces } from './shell-words.ts';
import type { ShellPart } from './shell-facts.ts';

/** What is protected (design 31): folders by their name, wherever they lie. All names in small letters. */
const folders: Readonly<Record<string, string>> = {
  '.git': "Git's own files",
  '.githooks': 'hooks of Git',
  '.husky': 'hooks of Git',
  '.kairos': 'settings of Kairos',
  '.claude': 'settings of an agent',
  '.claude-plugin': 'a plugin',
  '.vscode': 'settings of an editor',
  '.idea': 'settings of an editor',
  '.zed': 'settings of an editor',
  '.devcontainer': 'settings of an editor',
  '.ssh': 'keys and hosts of SSH',
  '.gnupg': 'keys of GnuPG',
};

/** Files by their name, wherever they lie. */
const files: Readonly<Record<string, string>> = {
  '.mcp.json': 'servers of tools',
  '.claude.json': 'settings of an agent',
  '.gitconfig': 'settings of Git',
  '.gitmodules': 'settings of Git',
  '.pre-commit-config.yaml': 'hooks of Git',
  'lefthook.yml': 'hooks of Git',
  '.npmrc': 'settings of a package manager',
  '.yarnrc': 'settings of a package manager',
  '.yarnrc.yml': 'settings of a package manager',
  '.pnpmfile.cjs': 'settings of a package manager',
  'bunfig.toml': 'settings of a package manager',
  '.envrc': 'a start-up file of shells',
  '.pam_environment': 'a start-up file of shells',
  '.xprofile': 'what starts at login',
  '.xinitrc': 'what starts at login',
  '.xsession': 'what starts at login',
  '.xsessionrc': 'what starts at login',
  '.tmux.conf': 'a start-up file of a program',
  '.screenrc': 'a start-up file of a program',
  '.vimrc': 'a start-up file of a program',
  '.exrc': 'a start-up file of a program',
  '.gvimrc': 'a start-up file of a program',
  '.emacs': 'a start-up file of a program',
  '.inputrc': 'a start-up file of shells',
};

const shellFile =
  /^\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|login|logout)$|profile\.ps1$/;

/** Places that several names in a row make; held against the whole path with a slash at both ends. */
const places: readonly (readonly [RegExp, string])[] = [
  [/\/\.config\/(?:fish|nushell|powershell|zsh|bash)\//, 'a start-up file of shells'],
  [/\/\.config\/git\//, 'settings of Git'],
  [
    /\/\.config\/(?:autostart|environment\.d|plasma-workspace|hypr|sway|i3|openbox)\//,
    'what starts at login',
  ],
  [/\/(?:\.config|\.local\/share|etc|lib|usr\/lib)\/systemd\//, 'a service of the system'],
  [/\/library\/(?:launchagents|launchdaemons|startupitems)\//, 'what starts at login'],
  [/\/start menu\/programs\/startup\//, 'what starts at login'],
  [/\/windowspowershell\/|\/documents\/powershell\//, 'a start-up file of shells'],
  [/^\/(?:private\/)?etc\//, 'settings of the system'],
  [/^\/(?:private\/)?var\/(?:spool\/(?:cron|at)|at)\//, 'jobs of the system'],
  [/\/\.cargo\/config(?:\.toml)?\/$/, 'settings of a package manager'],
  [/\/\.yarn\/(?:plugins|releases)\//, 'settings of a package manager'],
  [/\/\.gradle\/init(?:\.d|\.gradle)?\//, 'settings of a package manager'],
  [/\/application support\/kairos\//, 'settings of Kairos'],
  [/\.code-workspace\/$/, 'settings of an editor'],
  [
    /\/hooks\/(?:(?:pre|post)-(?:commit|push|merge|rebase|checkout|receive|update|rewrite|applypatch|auto-gc)|update|prepare-commit-msg|commit-msg|applypatch-msg|pre-merge-commit|fsmonitor-watchman|reference-transaction|sendemail-validate)\/$/,
    'hooks of Git',
  ],
];

/** A working tree that an agent was given inside such a folder is an ordinary one; what comes before it is looked at too. */
const ownTree = /\/\.(?:kairos|claude)\/worktrees\/[^/]+(?=\/|$)/;

/**
 * What a file at an absolute path is, where changing it lets something run later without a question (design 31); null: an ordinary file.
 * The case of letters never counts.
 */
export function protectedKind(path: string): string | null {
  const plain = path.replaceAll('\\', '/').toLowerCase().normalize('NFKC').replace(ownTree, '');
  const segments = plain.split('/').filter((segment) => segment !== '');
  const folder = segments.find((segment) => Object.hasOwn(folders, segment));
  if (folder !== undefined) return folders[folder] ?? null;
  const name = segments.at(-1) ?? '';
  if (Object.hasOwn(files, name)) return files[name] ?? null;
  if (shellFile.test(name)) return 'a start-up file of shells';
  const whole = `/${segments.join('/')}/`;
  return places.find(([pattern]) => pattern.test(whole))?.[1] ?? null;
}

/** A change of protected files asks in every mode, also one that a command makes. */
export function askProtected(
  facts: CallFacts,
  where: WordPlaces,
  hookFiles: readonly string[] = [],
): Decision | null {
  const [found] = protectedChanges(facts, where, hookFiles);
  return found === undefined
    ? null
    : { behavior: 'ask', by: `protected: it changes what runs by itself later (${found.kind})`, rule: null };
}

/** A protected file that a call may change; `path` is null where a command changes it without naming it. */
export interface ProtectedChange {
  readonly path: string | null;
  readonly kind: string;
}

/** The protected files that a call may change: through `~`, `$HOME`, other directories and links too; and `hookFiles`, which are absolute. */
export function protectedChanges(
  facts: CallFacts,
  where: WordPlaces,
  hookFiles: readonly string[] = [],
): readonly ProtectedChange[] {
  const hook = hookFileKind(facts, where, hookFiles);
  const byName = namedChanges(facts, where);
  return hook === null ? byName : [...byName, { path: null, kind: hook }];
}

function namedChanges(facts: CallFacts, where: WordPlaces): readonly ProtectedChange[] {
  if (facts.access === 'write') return ofKind(facts.paths);
  if (facts.access !== 'command') return [];
  const written = redirectsOf(facts).filter(({ access }) => access === 'write');
  const named = partsOf(facts).flatMap((part) => changedPaths(part, workDirs(facts, where), where.home));
  const jobs = partsOf(facts).flatMap((part) => {
    const kind = jobKind(part);
    return kind === null ? [] : [{ path: null, kind }];
  });
  return [...ofKind([...written.flatMap(({ paths }) => paths), ...named]), ...jobs];
}

function ofKind(paths: readonly string[]): readonly ProtectedChange[] {
  return paths.flatMap((path) => {
    const kind = protectedKind(path);
    return kind === null ? [] : [{ path, kind }];
  });
}

/** What a command may change by the names it is given; Git keeps its own files by itself. */
function changedPaths(part: ShellPart, dirs: readonly string[], home: string | null): readonly string[] {
  const redirected = part.redirects.flatMap(({ access, target }) =>
    access === 'write' && target !== null ? [target] : [],
  );
  const given = part.words.filter(({ text }) => !/^--(?:exclude|ignore)/.test(text));
  const words = onlyReads(part) ? redirected : [...redirected, ...given];
  const led = onlyReads(part) ? [] : (part.leadsTo ?? []);
  return [...pathsOfWords(words, dirs, home).map(({ path }) => path), ...led];
}

/** Commands that change jobs, services and Git's settings without naming their files. */
function jobKind(part: ShellPart): string | null {
  const words = part.words.map(({ text }) => text);
  const names = words.map((text) => text.slice(text.lastIndexOf('/') + 1));
  const has = (...wanted: readonly string[]): boolean => wanted.some((each) => words.includes(each));
  if (names.includes('crontab') && !has('-l')) return 'jobs of the system';
  if (names.includes('at') || names.includes('batch')) {
    if (names[0] === 'at' || names[0] === 'batch') return 'jobs of the system';
  }
  if (names.includes('launchctl') && has('load', 'bootstrap', 'enable', 'submit'))
    return 'what starts at login';
  if (
    names.includes('systemctl') &&
    has('enable', 'link', 'edit', 'preset', 'set-environment', 'set-property')
  )
    return 'a service of the system';
  if (names.includes('systemd-run') || names.includes('schtasks')) return 'jobs of the system';
  return names.includes('git') && changesGitConfig(words) ? 'settings of Git' : null;
}

/** `git config` that does not only read. */
function changesGitConfig(words: readonly string[]): boolean {
  const at = words.indexOf('config');
  if (at < 0) return false;
  const rest = words.slice(at + 1);
  const [given, options] = [
    rest.filter((word) => !word.startsWith('-')),
    rest.filter((word) => word.startsWith('-')),
  ];
  const [first = ''] = given;
  if (options.some((option) => /^(?:--get(?:-[a-z]+)?|--list|-l)$/.test(option))) return false;
  if (first === 'get' || first === 'list') return false;
  const reads = given.length === 1 && !/^(?:set|unset|edit|rename-section|remove-section)$/.test(first);
  return (
    !reads || options.some((option) => /^(?:-e|--edit|--unset|--unset-all|--remove-section)$/.test(option))
  );
}
