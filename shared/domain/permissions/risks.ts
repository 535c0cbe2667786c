import { oneLine } from '../../base/visible-text.ts';
import type { CallFacts } from './call-facts.ts';
import type { ShellFacts, ShellPart } from './shell-facts.ts';

/** Places that risks are told against; all real and absolute. */
export interface RiskPlaces {
  /** The session's directory. */
  readonly dir: string;
  /** True for files whose change lets something run later (design 31). */
  readonly isProtected: (path: string) => boolean;
  /** Takes out what looks like a secret; a text is cut only afterwards. */
  readonly mask: (text: string) => string;
}

type Named = (text: string) => string;

/** What previews show in place of characters that cannot be seen; joiners and variants of emoji are no trick. */
const madeVisible = /<U\+(?!FE0F>|200D>)[0-9A-F]+>/;

/** A prompt names no more risks than these, and no longer ones (characters). */
const most = 6;
const longestName = 80;

/** What is risky about a call, one short sentence each, the worst first. Hints for the person: nothing is decided by them. */
export function risksOf(facts: CallFacts, places: RiskPlaces): readonly string[] {
  const named: Named = (text) => oneLine(places.mask(text), longestName);
  const risks = [
    ...(facts.access === 'command' ? commandRisks(facts.shell, named) : []),
    ...writeRisks(facts, places, named),
    ...(facts.access === 'network' ? ['Reads from the network.'] : []),
    ...(madeVisible.test(facts.preview)
      ? [
          'Holds characters that cannot be seen or that change the order of others; they are made visible below.',
        ]
      : []),
    ...(places.mask(facts.preview) === facts.preview
      ? []
      : ['Part of it is hidden because it looks like a secret; it counts all the same.']),
  ];
  return [...new Set(risks)].slice(0, most);
}

function commandRisks(shell: ShellFacts | undefined, named: Named): readonly string[] {
  if (shell === undefined) return [];
  if (shell.kind === 'unparsed') return [`Kairos cannot tell what all of it does: ${shell.reason}`];
  const found = shell.parts.map((part) => partRisks(part, named));
  const of = (name: RiskName): readonly string[] => found.flatMap((each) => each[name] ?? []);
  const unknown = shell.parts.filter(({ words }) => words[0] !== undefined && words[0].kind !== 'literal');
  return [
    ...of('rights'),
    ...of('force'),
    ...of('deletes'),
    ...of('code'),
    ...unknown.map(
      ({ words }) => `Which program runs is known only when it runs: ${named(words[0]?.text ?? '')}`,
    ),
    ...of('network'),
    ...(shell.odd.length > 0 ? [`Has parts that are hard to follow: ${named(shell.odd.join(', '))}`] : []),
  ];
}

type RiskName = 'rights' | 'force' | 'deletes' | 'code' | 'network';
type Found = Partial<Record<RiskName, string>>;

const rights = new Set(['sudo', 'doas', 'su', 'pkexec', 'runuser', 'setpriv', 'chroot', 'setcap']);
const deletes = new Set(['rm', 'rmdir', 'unlink', 'shred', 'dd', 'mkfs', 'wipefs', 'truncate']);
const interpreters = new Set(
  'sh bash zsh dash ksh fish python python2 python3 node deno bun perl ruby php lua osascript pwsh'.split(
    ' ',
  ),
);
/** Counted only as the first word: `.` is also a directory. */
const evaluators = new Set(['eval', 'source', '.', 'exec']);
const network = new Set(
  'curl wget ssh scp sftp rsync nc ncat netcat telnet ftp aria2c http https socat dig nslookup ping'.split(
    ' ',
  ),
);
/** Programs whose named subcommands reach other machines. */
const networkCommands: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(['push', 'pull', 'fetch', 'clone', 'ls-remote', 'submodule']),
  npm: new Set(['install', 'i', 'ci', 'publish', 'update', 'exec', 'audit']),
  npx: new Set(),
  pip: new Set(['install', 'download']),
  pip3: new Set(['install', 'download']),
  yarn: new Set(['add', 'install', 'publish']),
  pnpm: new Set(['add', 'install', 'publish', 'dlx']),
  cargo: new Set(['install', 'publish', 'fetch']),
  gh: new Set(),
  docker: new Set(['pull', 'push', 'run', 'login']),
  kubectl: new Set(),
  apt: new Set(['install', 'update', 'upgrade']),
  'apt-get': new Set(['install', 'update', 'upgrade']),
  brew: new Set(['install', 'upgrade', 'update']),
};
/** Programs that start what follows them: every later word may be a program. */
const launchers = new Set(
  'sudo doas env xargs timeout nice nohup command time stdbuf find parallel watch setsid ionice builtin exec'.split(
    ' ',
  ),
);

function partRisks(part: ShellPart, named: Named): Found {
  const words = part.words.map(({ text }) => text);
  const found: Found = {};
  for (const [at, program] of programsOf(words))
    Object.assign(found, programRisks(program, words.slice(at + 1), at === 0, named));
  return found;
}

/** Programs that a simple command may start, with their places: its first word, and after a launcher every word. */
function programsOf(words: readonly string[]): readonly (readonly [number, string])[] {
  const first = words[0];
  if (first === undefined) return [];
  const own = [0, baseName(first)] as const;
  if (!launchers.has(own[1])) return [own];
  return [own, ...words.slice(1).map((word, index) => [index + 1, baseName(word)] as const)];
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
}

function programRisks(program: string, rest: readonly string[], isFirst: boolean, named: Named): Found {
  const whole = named([program, ...rest].join(' '));
  const found: Found = {};
  if (rights.has(program)) found.rights = `Runs with other rights: ${whole}`;
  if (deletes.has(program) || (program === 'find' && rest.includes('-delete')))
    found.deletes = `Deletes or overwrites: ${whole}`;
  if (program === 'git') Object.assign(found, gitRisks(rest, whole));
  if ((isFirst && evaluators.has(program)) || interpreters.has(program))
    found.code = `Runs code that Kairos does not check: ${whole}`;
  if (reaches(program, rest)) found.network = `Uses the network: ${whole}`;
  return found;
}

function gitRisks(rest: readonly string[], whole: string): Found {
  const forced = rest.some((word) => /^(-[a-zA-Z]*f[a-zA-Z]*|--force|--force-.*|--mirror|\+.+)$/.test(word));
  if (rest.includes('push') && (forced || rest.includes('--delete')))
    return { force: `Replaces history on the server: ${whole}` };
  const loses =
    rest.includes('--hard') || (rest.includes('clean') && forced) || rest.includes('filter-branch');
  return loses ? { deletes: `Throws away work that is not committed: ${whole}` } : {};
}

function reaches(program: string, rest: readonly string[]): boolean {
  if (network.has(program)) return true;
  const commands = Object.hasOwn(networkCommands, program) ? networkCommands[program] : undefined;
  if (commands === undefined) return false;
  return commands.size === 0 || rest.some((word) => commands.has(word));
}

/** Files that are written: those of a change, and targets of redirections. */
function writeRisks(facts: CallFacts, { dir, isProtected }: RiskPlaces, named: Named): readonly string[] {
  const paths = facts.access === 'write' ? facts.paths : redirected(facts.shell);
  const outside = paths.filter((path) => path !== dir && !path.startsWith(`${dir}/`) && path !== '/dev/null');
  return [
    ...paths.filter(isProtected).map((path) => `Changes what runs by itself later: ${named(path)}`),
    ...outside.map((path) => `Writes outside the session's directory: ${named(path)}`),
  ];
}

function redirected(shell: ShellFacts | undefined): readonly string[] {
  if (shell?.kind !== 'parsed') return [];
  const all = [...shell.redirects, ...shell.parts.flatMap(({ redirects }) => redirects)];
  return all.flatMap(({ access, paths }) => (access === 'write' ? paths : []));
}
