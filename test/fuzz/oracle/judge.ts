import { basename, relative } from 'node:path';
import type { SaidRules } from './rule-words.ts';
import type { Deed, Image } from './trace.ts';
import type { World } from './world.ts';

/** Need no rule beside a command that has one: they touch nothing. */
const harmless = new Set(['true', 'false', 'pwd', 'echo', 'printf', 'test', '[']);
/** Programs that only run another one, which the trace shows for itself. */
const wrappers = new Set(['env', 'nice', 'nohup', 'stdbuf', 'time', 'timeout', 'setsid', 'ionice', 'chrt']);
/** Programs whose rule vouches for the files they write: that is what they are for. */
const writers = new Set(['git', 'npm', 'make', 'tar']);
/** Programs that run what a file or their own rules say; a deny rule cannot look into those. */
const interpreters = new Set([
  'sh',
  'dash',
  'bash',
  'perl',
  'awk',
  'mawk',
  'sed',
  'make',
  'npm',
  'git',
  'python3',
]);
const system = ['/usr/bin/', '/bin/', '/usr/sbin/', '/sbin/'];

/** What a rule set did not allow among the deeds of a command that was allowed, one sentence each; none = as promised. */
export function unallowed(deeds: readonly Deed[], said: SaidRules, world: World): readonly string[] {
  const found = deeds.flatMap((deed) => complaint(deed, said, world) ?? []);
  return [...new Set(found)];
}

function complaint(deed: Deed, said: SaidRules, world: World): string | null {
  switch (deed.kind) {
    case 'ran':
      return mayRun(deed.image, said, world) ? null : `ran ${shown(deed.image)}`;
    case 'wrote':
      return mayWrite(deed.path, deed.by, said, world) ? null : `wrote ${deed.path} (${shown(deed.by)})`;
    case 'loaded':
      return deed.path.startsWith('/usr/') || deed.path.startsWith('/etc/') ? null : `loaded ${deed.path}`;
    case 'connected':
      return `connected to ${deed.to} (${shown(deed.by)})`;
    case 'sourced':
      return null;
    case 'signalled':
      return isWrapper(deed.by) ? null : `sent a signal to another process (${shown(deed.by)})`;
  }
}

/** What a deny rule names and was run all the same, by the command itself, not by a program that reads its orders elsewhere. */
export function denied(deeds: readonly Deed[], said: SaidRules, world: World): readonly string[] {
  if (deeds.some(({ kind }) => kind === 'sourced')) return [];
  return deeds.flatMap((deed) => {
    if (deed.kind !== 'ran' || !isTrusted(deed.image, world) || byInterpreter(deed.image, world)) return [];
    const rule = said.commands.find(({ matches }) => matches(argvOf(deed.image)));
    return rule ? [`ran ${shown(deed.image)} against ${rule.text}`] : [];
  });
}

function byInterpreter({ by }: Image, world: World): boolean {
  for (let image = by; image !== null && image.by !== null; image = image.by)
    if (!isTrusted(image, world) || (interpreters.has(basename(image.path)) && !isOrder(image))) return true;
  return false;
}

/** `sh -c text` is written in the command itself. */
function isOrder({ argv }: Image): boolean {
  return argv[1]?.startsWith('-') === true && argv[1].includes('c');
}

/** By the name of the file that ran: `argv[0]` says what its caller likes. */
function argvOf({ path, argv }: Image): readonly string[] {
  return [basename(path), ...argv.slice(1)];
}

function isTrusted({ path }: Image, world: World): boolean {
  const folder = path.slice(0, path.length - basename(path).length);
  return folder === `${world.stubs}/` || system.includes(folder);
}

function mayRun(image: Image, said: SaidRules, world: World): boolean {
  if (isHelperOfGit(image, world)) return true;
  if (!isTrusted(image, world)) return false;
  return isWrapper(image) || isHarmless(image) || said.commands.some(({ matches }) => matches(argvOf(image)));
}

/** `cat` alone hands on what it is given. */
function isHarmless({ path, argv }: Image): boolean {
  const name = basename(path);
  return harmless.has(name) || (name === 'cat' && argv.length === 1);
}

function isWrapper({ path }: Image): boolean {
  return wrappers.has(basename(path));
}

/** What git starts for itself: its own programs, also through a shell, and ssh for another host. */
function isHelperOfGit({ path, argv, by }: Image, world: World): boolean {
  if (by === null || !(isGit(by) || isHelperOfGit(by, world))) return false;
  if (path === '/bin/sh') return /^git-[a-z-]+ '/.test(argv[2] ?? '');
  return path === `${world.stubs}/ssh` || isGit({ path });
}

function isGit({ path }: Pick<Image, 'path'>): boolean {
  return path === '/usr/bin/git' || path.startsWith('/usr/lib/git-core/git');
}

function mayWrite(path: string, by: Image, said: SaidRules, world: World): boolean {
  if (/^\/dev\/(?:null|zero|tty)$|^\/proc\/self\/|^pipe:|\/sh-thd\.\w+$/.test(path)) return true;
  if (by.by !== null && (writers.has(basename(by.path)) || isHelperOfGit(by, world))) return true;
  const inside = relative(world.work, path);
  if (inside.startsWith('.git/')) return false;
  return said.writable.some((folder) =>
    folder === '' ? !inside.startsWith('../') : inside.startsWith(`${folder}/`),
  );
}

function shown({ path, argv }: Image): string {
  return [path, ...argv.slice(1)].join(' ').slice(0, 300);
}
