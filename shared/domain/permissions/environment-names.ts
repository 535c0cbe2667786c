import type { ShellWord } from './shell-facts.ts';

/** Variables that a person's command may be given without changing which program runs or what it loads. */
const harmless = new Set([
  'CI',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  'COLUMNS',
  'DEBIAN_FRONTEND',
  'DEBUG',
  'FORCE_COLOR',
  'GOARCH',
  'GOOS',
  'LANG',
  'LANGUAGE',
  'LINES',
  'NODE_ENV',
  'NO_COLOR',
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONUNBUFFERED',
  'RUST_BACKTRACE',
  'RUST_LOG',
  'TERM',
  'TZ',
]);

/** Lower-case names that programs read all the same. */
const readByPrograms = /(?:^|_)proxy$/;
/** `PATH` and the like in lower case are arrays tied to the real ones in other shells; bash keeps them apart, we do not count on it. */
const tied = new Set(['path', 'fpath', 'cdpath', 'manpath', 'module_path', 'ifs', 'prompt', 'psvar']);

/** True when giving one program this variable cannot make it run or load something else. */
export function isHarmlessVariable(name: string): boolean {
  return harmless.has(name) || /^LC_[A-Z]+$/.test(name);
}

/** True when a script may set this variable for itself: one that only the script reads. */
export function isOwnVariable(name: string): boolean {
  if (isHarmlessVariable(name)) return true;
  return /^[a-z][a-z0-9_]*$/.test(name) && !readByPrograms.test(name) && !tied.has(name);
}

const running =
  /^(?:PS4|PROMPT_COMMAND|BASH_ENV|ENV|PATH|SHELL|LD_.*|DYLD_.*|GIT_.*|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|LESS|RSYNC_RSH|TAR_OPTIONS|NODE_OPTIONS|PYTHON(?:STARTUP|PATH|HOME|BREAKPOINT)|PERL5(?:OPT|LIB|DB)|RUBYOPT|RUBYLIB|MAKEFLAGS|GREP_OPTIONS|ZIPOPT|BASH_FUNC_.*|BASH_ALIASES|BASH_CMDS|)$/;

/** True for a variable whose value names, or changes, what a shell or a program runs. */
export function isRunningVariable(name: string): boolean {
  return running.test(name);
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=/;

/** The name in a literal word `NAME=value`; null for any other word. */
export function assignedName({ kind, text }: ShellWord): string | null {
  return kind === 'literal' ? (assignment.exec(text)?.[1] ?? null) : null;
}
