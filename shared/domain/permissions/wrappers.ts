import { assignedName, isHarmlessVariable } from './environment-names.ts';
import type { ShellWord } from './shell-facts.ts';

/** How a program that starts another one reads its own words before that one's. */
interface WrapperForm {
  /** Options without a value. */
  readonly flags: readonly string[];
  /** Options with one: the next word, glued to a short one, or behind `=` of a long one. */
  readonly valued: readonly string[];
  /** Words of its own before the command (the duration of `timeout`). */
  readonly operands: number;
  /** Takes `NAME=value` before the command. */
  readonly assigns?: boolean;
}

const plain: WrapperForm = { flags: [], valued: [], operands: 0 };

/** Programs that run the rest of their words and change nothing about what that does. */
const transparent: Readonly<Record<string, WrapperForm>> = {
  timeout: {
    flags: ['-v', '--verbose', '--foreground', '--preserve-status'],
    valued: ['-k', '-s', '--kill-after', '--signal'],
    operands: 1,
  },
  nice: { flags: [], valued: ['-n', '--adjustment'], operands: 0 },
  ionice: { flags: ['-t', '--ignore'], valued: ['-c', '-n', '--class', '--classdata'], operands: 0 },
  nohup: plain,
  time: { flags: ['-p'], valued: [], operands: 0 },
  stdbuf: { flags: [], valued: ['-i', '-o', '-e', '--input', '--output', '--error'], operands: 0 },
  env: { ...plain, assigns: true },
  command: plain,
  builtin: plain,
};

/** The same and more, for rules that deny: what they run is looked for wherever it may begin. */
const opening: Readonly<Record<string, WrapperForm>> = {
  ...transparent,
  env: {
    flags: ['-i', '-', '-0', '-v', '--ignore-environment', '--null', '--debug'],
    valued: ['-u', '-C', '--unset', '--chdir'],
    operands: 0,
    assigns: true,
  },
  command: { flags: ['-p', '-v', '-V'], valued: [], operands: 0 },
  exec: { flags: ['-c', '-l', '-cl', '-lc'], valued: ['-a'], operands: 0 },
  sudo: {
    flags: ['-A', '-b', '-E', '-H', '-i', '-k', '-n', '-P', '-S', '-s', '--non-interactive', '--login'],
    valued: [
      '-u',
      '-g',
      '-h',
      '-p',
      '-C',
      '-D',
      '-R',
      '-r',
      '-t',
      '-T',
      '-U',
      '--user',
      '--group',
      '--chdir',
    ],
    operands: 0,
    assigns: true,
  },
  doas: { flags: ['-n', '-s', '-L'], valued: ['-u', '-C', '-a'], operands: 0 },
  setsid: {
    flags: ['-c', '-f', '-w', '--ctty', '--fork', '--wait'],
    valued: [],
    operands: 0,
  },
  xargs: {
    flags: ['-0', '-r', '-t', '-x', '-o', '--null', '--no-run-if-empty', '--verbose', '--exit'],
    valued: ['-I', '-n', '-P', '-L', '-s', '-d', '-a', '-E', '--max-args', '--max-procs', '--delimiter'],
    operands: 0,
  },
  chroot: { flags: [], valued: ['--userspec', '--groups'], operands: 1 },
  taskset: { flags: ['-a'], valued: [], operands: 1 },
  caffeinate: { flags: ['-d', '-i', '-m', '-s', '-u'], valued: ['-t', '-w'], operands: 0 },
  busybox: plain,
  toybox: plain,
};

/** Programs that run others and whose own words we do not read: any of their words may begin a command. */
const scanned = new Set(
  'parallel watch script strace ltrace unshare nsenter flock firejail bwrap proot systemd-run runuser su pkexec chrt numactl setarch setpriv fakeroot dbus-run-session xvfb-run entr rlwrap unbuffer chronic ifne mispipe pee dbus-launch choom prlimit eatmydata faketime cpulimit cgexec sg newgrp hyperfine ssh torsocks torify proxychains proxychains4 capsh ip tmux screen start-stop-daemon run-parts nodemon concurrently gdb lldb valgrind perf npx bunx uvx dotenv doppler direnv'.split(
    ' ',
  ),
);

/** The last piece of a path: `/bin/rm` is `rm`. */
export function programName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

interface Opened {
  readonly words: readonly ShellWord[];
  /** An option that we do not know stands before them. */
  readonly strange: boolean;
}

/** What is left behind the wrapper's own words; null when a word of it is not literal. */
function open(words: readonly ShellWord[], form: WrapperForm, name: string): Opened | null {
  let index = 1;
  const { operands } = form;
  let strange = false;
  for (; index < words.length; index += 1) {
    const word = words[index];
    if (word?.kind !== 'literal') return operands === 0 ? { words: words.slice(index), strange } : null;
    const { text } = word;
    if (text === '--') {
      index += 1;
      break;
    }
    if (text.startsWith('-')) {
      const step = optionWidth(text, form, name);
      if (step === null) strange = true;
      index += (step ?? 1) - 1;
    } else if (form.assigns === true && assignedName(word) !== null) continue;
    else break;
  }
  while (form.assigns === true && words[index] !== undefined && /^[^=]+=/.test(words[index]?.text ?? ''))
    index += 1;
  return { words: words.slice(index + operands), strange };
}

/** How many words an option takes; null for one that is not known. */
function optionWidth(text: string, { flags, valued }: WrapperForm, name: string): 1 | 2 | null {
  if (flags.includes(text)) return 1;
  if (valued.includes(text)) return 2;
  if (name === 'nice' && /^-\d+$/.test(text)) return 1;
  if (text.startsWith('--')) return valued.some((option) => text.startsWith(`${option}=`)) ? 1 : null;
  return valued.some((option) => option.length === 2 && text.startsWith(option)) ? 1 : null;
}

/** The command behind wrappers that are fully understood; what is not understood stays as it is. */
export function throughWrappers(words: readonly ShellWord[]): readonly ShellWord[] {
  let rest = words;
  for (;;) {
    const first = rest[0];
    const form = first?.kind === 'literal' ? ownEntry(transparent, first.text) : undefined;
    if (first === undefined || form === undefined) return rest;
    const opened = open(rest, form, first.text);
    if (opened === null || opened.strange || opened.words.length === 0) return rest;
    const own = rest.slice(1, rest.length - opened.words.length);
    if (own.some(isHarmfulAssignment)) return rest;
    rest = opened.words;
  }
}

/** A word of the wrapper's own whose value is not known, or a variable that may change what runs. */
function isHarmfulAssignment(word: ShellWord): boolean {
  if (word.kind !== 'literal') return true;
  const name = assignedName(word);
  return name === null ? /^[^-][^=]*=/.test(word.text) : !isHarmlessVariable(name);
}

function ownEntry<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** A command that a part runs or may run; `sure`: it does when the part runs. */
export interface InnerCommand {
  readonly words: readonly ShellWord[];
  readonly sure: boolean;
}

/**
 * The part's own command first, then whatever it starts, as far as words can tell; for rules that deny or ask. `complete` false: it
 * starts more than is looked at.
 */
export function commandsWithin(words: readonly ShellWord[]): {
  readonly commands: readonly InnerCommand[];
  readonly complete: boolean;
} {
  const commands: InnerCommand[] = [];
  const seen = new Map<ShellWord, boolean>();
  const pending: InnerCommand[] = [{ words, sure: true }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const first = next.words[0];
    if (first === undefined) continue;
    const before = seen.get(first);
    if (before === true || (before === false && !next.sure)) continue;
    if (commands.length >= mostInner) return { commands, complete: false };
    seen.set(first, next.sure);
    commands.push(next);
    pending.push(...startedBy(next));
  }
  return { commands, complete: true };
}

/** What is started by one part; beyond that nobody could tell what a rule means. */
const mostInner = 100;

function startedBy({ words, sure }: InnerCommand): readonly InnerCommand[] {
  const first = words[0];
  if (first?.kind !== 'literal') return [];
  const name = programName(first.text);
  if (name === 'find') return behindActions(words, sure);
  if (scanned.has(name) || runsInner(name, words)) return everyRest(words);
  const form = ownEntry(opening, name);
  if (form === undefined) return [];
  const opened = open(words, form, name);
  if (opened === null || opened.strange) return everyRest(words);
  const inner = name === 'xargs' ? withInput(words, opened.words) : opened.words;
  return [{ words: inner, sure }];
}

/** Words of other programs behind which a command may stand. */
const innerWords: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  pipx: ['run'],
  bundle: ['exec'],
  conda: ['run'],
  mise: ['exec', 'x'],
  docker: ['run', 'exec'],
  podman: ['run', 'exec'],
  kubectl: ['exec', 'run'],
  git: ['bisect', 'submodule', 'filter-branch', 'for-each-repo'],
};

function runsInner(name: string, words: readonly ShellWord[]): boolean {
  const inner = ownEntry(innerWords, name) ?? [];
  return words.some(({ text }) => inner.includes(text));
}

function everyRest(words: readonly ShellWord[]): InnerCommand[] {
  return words
    .slice(1)
    .flatMap((word, index) =>
      word.kind === 'literal' && word.text.startsWith('-')
        ? []
        : [{ words: words.slice(index + 1), sure: false }],
    );
}

const fromInput: ShellWord = { text: 'what is read', kind: 'dynamic' };

/** xargs puts what it reads behind the command, or where the sign of -I stands. */
function withInput(words: readonly ShellWord[], inner: readonly ShellWord[]): readonly ShellWord[] {
  const own = words.slice(1, words.length - inner.length).map(({ text }) => text);
  const at = own.findIndex((text) => /^-[Ii]|^--replace/.test(text));
  if (at === -1) return [...inner, fromInput];
  const glued = (own[at] ?? '').replace(/^-[Ii]|^--replace=?/, '');
  const sign = glued !== '' ? glued : own[at] === '-I' ? (own[at + 1] ?? '{}') : '{}';
  return inner.map((word) => filled(word, sign));
}

/** A word that a sign stands in, which is replaced by what is found or read. */
function filled(word: ShellWord, sign: string): ShellWord {
  return word.text.includes(sign) ? { text: word.text, kind: 'dynamic' } : word;
}

const findActions = ['-exec', '-execdir', '-ok', '-okdir'];

function behindActions(words: readonly ShellWord[], sure: boolean): InnerCommand[] {
  const begins = words.flatMap(({ text }, index) => (findActions.includes(text) ? [index + 1] : []));
  return begins
    .slice(0, mostInner + 1)
    .map((index) => ({ words: words.slice(index).map((word) => filled(word, '{}')), sure }));
}

const shells = /^(?:r?bash|sh|zsh|dash|r?ksh|mksh|fish|ash|csh|tcsh)$/;

/** True for a program that reads a script in a shell's language. */
export function isShell(name: string): boolean {
  return shells.test(name);
}
