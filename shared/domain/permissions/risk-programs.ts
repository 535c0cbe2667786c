import { isShell, programName } from './wrappers.ts';

/** What a simple command does that a person should know, the kinds in the order in which they are told. */
export const riskKinds = ['rights', 'force', 'deletes', 'machine', 'code', 'secrets', 'network'] as const;
/** One kind of risk. */
export type RiskKind = (typeof riskKinds)[number];

/** One short sentence for each kind that was found. */
export type ProgramRisks = Partial<Record<RiskKind, string>>;

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const rights = set('sudo doas su pkexec runuser setpriv chroot setcap');
const deletes = set('rm rmdir unlink shred dd mkfs wipefs truncate');
const interpreters = set(
  'fish pwsh python python2 python3 node deno bun perl ruby php lua osascript npx bunx uvx pipx',
);
/** Counted only as the first word: `.` is also a directory. */
const evaluators = set('eval source . exec');
const network = set(
  'curl wget ssh scp sftp rsync nc ncat netcat telnet ftp aria2c http https socat dig nslookup ping npx bunx uvx',
);
const stopsMachine = set('shutdown reboot halt poweroff init telinit');
const endsPrograms = set('kill pkill killall killall5 xkill');
const changesRights = set('chmod chown chgrp setfacl chattr');

/** Programs whose named subcommands reach other machines. */
const networkCommands: Readonly<Record<string, ReadonlySet<string>>> = {
  git: set('push pull fetch clone ls-remote submodule'),
  npm: set('install i ci publish update exec audit'),
  pip: set('install download'),
  pip3: set('install download'),
  yarn: set('add install publish dlx'),
  pnpm: set('add install i publish dlx'),
  cargo: set('install publish fetch'),
  gh: new Set(),
  docker: set('pull push run login'),
  kubectl: new Set(),
  apt: set('install update upgrade'),
  'apt-get': set('install update upgrade'),
  brew: set('install upgrade update'),
};
/** Subcommands that run what others wrote and nobody here has read. */
const installs: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: set('install i ci update exec'),
  yarn: set('add install dlx'),
  pnpm: set('add install i dlx'),
  pip: set('install'),
  pip3: set('install'),
  cargo: set('install'),
  brew: set('install upgrade'),
  apt: set('install upgrade'),
  'apt-get': set('install upgrade'),
};
/** Programs that start what follows them: every later word may be a program. */
const launchers = set(
  'sudo doas env xargs timeout nice nohup command time stdbuf find parallel watch setsid ionice builtin exec busybox',
);

/** The risks of the programs that a simple command may start; `named` makes what a text shows of them. */
export function programRisks(words: readonly string[], named: (text: string) => string): ProgramRisks {
  const found: ProgramRisks = {};
  for (const [at, program] of programsOf(words))
    Object.assign(found, oneProgram(program, words.slice(at + 1), at === 0, named));
  return found;
}

/** Programs that a simple command may start, with their places: its first word, and after a launcher every word. */
export function programsOf(words: readonly string[]): readonly (readonly [number, string])[] {
  const first = words[0];
  if (first === undefined) return [];
  const own = [0, baseName(first)] as const;
  if (!launchers.has(own[1])) return [own];
  return [own, ...words.slice(1).map((word, index) => [index + 1, baseName(word)] as const)];
}

function baseName(word: string): string {
  return programName(word).toLowerCase();
}

function oneProgram(
  program: string,
  rest: readonly string[],
  isFirst: boolean,
  named: (text: string) => string,
): ProgramRisks {
  const whole = named([program, ...rest].join(' '));
  return {
    ...(rights.has(program) ? { rights: `Runs with other rights: ${whole}` } : {}),
    ...(deletes.has(program) || (program === 'find' && rest.includes('-delete'))
      ? { deletes: `Deletes or overwrites: ${whole}` }
      : {}),
    ...(program === 'git' ? gitRisks(rest, whole) : {}),
    ...machineRisks(program, rest, isFirst, whole),
    ...codeRisks(program, rest, isFirst, whole),
    ...(isFirst && (program === 'printenv' || (program === 'env' && rest.length === 0))
      ? { secrets: 'Shows variables of the environment, which may hold secrets.' }
      : {}),
    ...(reaches(networkCommands, program, rest) || network.has(program)
      ? { network: `Uses the network: ${whole}` }
      : {}),
  };
}

function machineRisks(
  program: string,
  rest: readonly string[],
  isFirst: boolean,
  whole: string,
): ProgramRisks {
  if (isFirst && stopsMachine.has(program)) return { machine: `Stops or restarts the machine: ${whole}` };
  if (endsPrograms.has(program)) return { machine: `Ends running programs: ${whole}` };
  const below = rest.some((word) => /^(?:-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/.test(word));
  if (changesRights.has(program) && below) return { machine: `Changes rights of everything below: ${whole}` };
  const reads = /^(?:status|show|list-.*|is-.*|cat|--version|--help)$/;
  if (program === 'systemctl' && !rest.some((word) => reads.test(word)))
    return { machine: `Changes services of the system: ${whole}` };
  return {};
}

function codeRisks(program: string, rest: readonly string[], isFirst: boolean, whole: string): ProgramRisks {
  if ((isFirst && evaluators.has(program)) || isShell(program) || interpreters.has(program))
    return { code: `Runs code that Kairos does not check: ${whole}` };
  const set =
    program === 'git' && rest.slice(0, subcommandAt(rest)).some((word) => /^(?:-c|--config-env)/.test(word));
  if (set) return { code: `Sets options of Git that can run other programs: ${whole}` };
  return reaches(installs, program, rest) ? { code: `Installs or runs code of others: ${whole}` } : {};
}

/** Where Git's subcommand stands: behind options and what `-c` and `-C` are given. */
function subcommandAt(rest: readonly string[]): number {
  let at = 0;
  while (rest[at]?.startsWith('-') === true) at += /^-[cC]$/.test(rest[at] ?? '') ? 2 : 1;
  return at;
}

function gitRisks(all: readonly string[], whole: string): ProgramRisks {
  const [command = '', ...rest] = all.slice(subcommandAt(all));
  const has = (pattern: RegExp): boolean => rest.some((word) => pattern.test(word));
  const forced = has(/^(-[a-zA-Z]*f[a-zA-Z]*|--force|--force-.*|--mirror|\+.+)$/);
  if (command === 'push' && has(/^(?:-[a-zA-Z]*d[a-zA-Z]*|--delete|--prune|--mirror|:.+)$/))
    return { force: `Deletes on the server: ${whole}` };
  if (command === 'push' && forced) return { force: `Replaces history on the server: ${whole}` };
  if ((command === 'branch' || command === 'tag') && has(/^(?:-[a-zA-Z]*[dD][a-zA-Z]*|--delete)$/))
    return { deletes: `Deletes ${command === 'tag' ? 'tags' : 'branches'}: ${whole}` };
  return losesWork(command, rest, forced)
    ? { deletes: `Throws away work that is not committed: ${whole}` }
    : {};
}

function losesWork(command: string, rest: readonly string[], forced: boolean): boolean {
  switch (command) {
    case 'reset':
      return rest.includes('--hard');
    case 'clean':
    case 'switch':
      return forced || rest.includes('--discard-changes');
    case 'checkout':
      return forced || rest.includes('--') || rest.includes('.');
    case 'restore':
      return !rest.includes('--staged') || rest.includes('--worktree');
    case 'stash':
      return rest[0] === 'drop' || rest[0] === 'clear';
    case 'worktree':
      return rest[0] === 'remove' && forced;
    case 'filter-branch':
      return true;
    default:
      return false;
  }
}

/** A table's subcommand of the program is given; an empty list: every one. */
function reaches(
  table: Readonly<Record<string, ReadonlySet<string>>>,
  program: string,
  rest: readonly string[],
): boolean {
  const commands = Object.hasOwn(table, program) ? table[program] : undefined;
  if (commands === undefined) return false;
  return commands.size === 0 || rest.some((word) => commands.has(word));
}
