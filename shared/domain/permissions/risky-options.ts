import type { ShellWord } from './shell-facts.ts';
import { programName } from './wrappers.ts';

/** Options of a program that make it run another one, load code, or write a file that its name does not tell. */
interface Risky {
  /** Long ones without the two dashes; an abbreviation counts as the whole. */
  readonly long?: string;
  /** Letters of short ones, also inside of `-xvf`. */
  readonly short?: string;
  /** Whole words, each also as the beginning of one. */
  readonly words?: string;
  /** First words without a dash that are options too (`tar xIf`). */
  readonly bundled?: true;
  /** The word after the program's name for which this holds; absent: all. */
  readonly only?: string;
}

const table: Readonly<Record<string, readonly Risky[]>> = {
  git: [
    {
      long: 'upload-pack receive-pack exec open-files-in-pager config template ext-diff textconv output paginate extcmd',
    },
    { short: 'O', only: 'grep' },
    { short: 'x', only: 'rebase' },
    { short: 's', long: 'strategy', only: 'rebase' },
    { short: 'cu', only: 'clone' },
    { short: 'u', only: 'fetch-pack' },
    { words: 'foreach ext::', only: 'submodule' },
    { words: 'ext:: fd::' },
    { short: 's', long: 'strategy', only: 'merge' },
  ],
  find: [{ words: '-exec -ok -delete -fprint -fls' }],
  fd: [{ long: 'exec exec-batch', short: 'xX' }],
  fdfind: [{ long: 'exec exec-batch', short: 'xX' }],
  rg: [{ long: 'pre hostname-bin' }],
  ag: [{ long: 'pager' }],
  ack: [{ long: 'pager' }],
  sort: [{ long: 'compress-program output', short: 'o' }],
  split: [{ long: 'filter' }],
  csplit: [{ long: 'prefix' }],
  sed: [{ long: 'in-place expression file', short: 'ief' }],
  tar: tar(),
  bsdtar: tar(),
  gtar: tar(),
  cpio: [{ long: 'rsh-command to-command', short: 'F' }],
  zip: [{ long: 'test unzip-command', short: 'T' }],
  rsync: [{ long: 'rsh rsync-path daemon config', short: 'eM' }],
  scp: [{ short: 'SoDF' }],
  sftp: [{ short: 'SobDF' }],
  curl: [
    {
      long: 'config output remote-name remote-name-all output-dir dump-header cookie-jar trace trace-ascii stderr upload-file engine etag-save hsts alt-svc libcurl',
      short: 'oOKDcJT',
    },
  ],
  wget: [
    {
      long: 'execute use-askpass config output-document output-file append-output directory-prefix post-file body-file save-cookies input-file',
      short: 'eOoaPi',
    },
  ],
  less: [{ words: '+', long: 'log-file LOG-FILE lesskey-file lesskey-src', short: 'oOk' }],
  more: [{ words: '+' }],
  man: [{ long: 'pager html preprocessor config-file', short: 'PHCp' }],
  make: [
    {
      long: 'file makefile eval directory include-dir',
      short: 'fCIE',
      words: 'SHELL= CC= CXX= MAKEFLAGS= MAKE=',
    },
  ],
  gmake: [
    { long: 'file makefile eval directory include-dir', short: 'fCIE', words: 'SHELL= MAKEFLAGS= MAKE=' },
  ],
  ninja: [{ short: 'fC' }],
  npm: [
    {
      long: 'script-shell call node-options globalconfig userconfig prefix git editor viewer browser shell',
      short: 'cC',
    },
  ],
  pnpm: [{ long: 'script-shell shell-mode dir config', short: 'cC' }],
  yarn: [{ long: 'script-shell cwd use-yarnrc' }],
  bun: [{ long: 'preload config eval print cwd', short: 'rep' }],
  deno: [{ long: 'allow-all allow-run allow-ffi config import-map', short: 'Ac' }],
  go: [{ words: '-exec -toolexec -vettool -C -overlay -modfile --exec --toolexec --vettool' }],
  cargo: [{ long: 'config manifest-path', short: 'ZC', words: '+' }],
  rustc: [{ short: 'CZ', long: 'codegen' }],
  gcc: compiler(),
  'g++': compiler(),
  cc: compiler(),
  'c++': compiler(),
  clang: compiler(),
  'clang++': compiler(),
  ld: [{ words: '-plugin --plugin -dynamic-linker' }],
  openssl: [{ words: '-engine -provider' }],
  dpkg: [{ words: '--pre-invoke --post-invoke --admindir --root --instdir' }],
  apt: [{ short: 'oc', long: 'option config-file' }],
  'apt-get': [{ short: 'oc', long: 'option config-file' }],
  kubectl: [{ long: 'kubeconfig editor' }],
  docker: [{ long: 'host context config', short: 'H' }],
  nmap: [{ long: 'script datadir', short: 'o' }],
  pip: [{ long: 'config-settings global-option python' }],
  pytest: [{ short: 'pco', long: 'rootdir confcutdir config-file override-ini pyargs pdbcls' }],
  jest: [{ long: 'config globalSetup runner testRunner setupFiles', short: 'c' }],
  vitest: [{ long: 'config root', short: 'cr' }],
  eslint: [{ long: 'config rulesdir resolve-plugins-relative-to parser plugin', short: 'c' }],
  date: [{ long: 'set', short: 's' }],
};

function tar(): readonly Risky[] {
  return [
    {
      long: 'use-compress-program to-command checkpoint-action info-script new-volume-script rmt-command rsh-command',
      short: 'IF',
      bundled: true,
    },
  ];
}

function compiler(): readonly Risky[] {
  return [{ words: '-wrapper -fplugin -specs --specs -B -Xclang -load @ -fuse-ld -Xlinker' }];
}

/** Why no rule with a star covers this use of a program; null: none of its words runs or writes more than its name tells. `named`: words that the rule spells out. */
export function riskyReason(words: readonly ShellWord[], named: number): string | null {
  const name = programName(words[0]?.text ?? '');
  const entries = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entries === undefined || entries.length === 0) return null;
  const sub = words.find(({ text }, index) => index > 0 && !text.startsWith('-'))?.text;
  const applying = entries.filter(({ only }) => only === undefined || only === sub);
  if (name === 'sed' && named < words.length) return sedReason(words, named);
  for (const [index, word] of words.entries()) {
    if (index === 0 || index < named) continue;
    if (word.kind !== 'literal' && mayBeOption(word) && !isValue(word, words[index - 1], name))
      return `a word of ${name} that is known only when it runs may be an option that runs other programs (${shortText(word.text)})`;
    const found = applying.some((entry) => isRisky(word.text, entry, index));
    if (found) return `"${shortText(word.text)}" may make ${name} run another program or write elsewhere`;
  }
  return null;
}

const longestShown = 60;

function shortText(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}...`;
}

function isRisky(
  text: string,
  { long = '', short = '', words = '', bundled }: Risky,
  index: number,
): boolean {
  if (words !== '' && words.split(' ').some((word) => text.toLowerCase().startsWith(word.toLowerCase())))
    return true;
  if (text.startsWith('--')) return text !== '--' && long !== '' && abbreviates(text, long.split(' '));
  const letters = text.startsWith('-') ? text.slice(1) : bundled === true && index === 1 ? text : '';
  return short !== '' && [...letters].some((letter) => short.includes(letter));
}

/** `--upload-p=x` is `--upload-pack=x`; what is longer than the name is another option, except with `-` behind it. */
function abbreviates(text: string, names: readonly string[]): boolean {
  const given = text.slice(2).split('=')[0] ?? '';
  return given !== '' && names.some((name) => name.startsWith(given));
}

/** A word that surely begins with something else than a dash is no option: `"fix: $x"`, `src/*.ts`. */
function mayBeOption({ kind, text, single }: ShellWord): boolean {
  if (kind === 'pattern') return !/^[A-Za-z0-9_./]/.test(text) || text.includes('{');
  return single !== true || !/^"[A-Za-z0-9_./:@%,#[(]/.test(text);
}

/** Options of git and others whose next word is surely their value. */
const valued: Readonly<Record<string, readonly string[]>> = {
  git: [
    '-m',
    '--message',
    '-F',
    '--file',
    '--author',
    '--date',
    '-S',
    '-G',
    '--grep',
    '--format',
    '--since',
    '--until',
  ],
};

function isValue(word: ShellWord, before: ShellWord | undefined, name: string): boolean {
  if (word.single !== true || before?.kind !== 'literal') return false;
  return Object.hasOwn(valued, name) && (valued[name]?.includes(before.text) ?? false);
}

/** sed: only scripts that print or replace, without the flags and commands that run (`e`), read or write (`r`, `w`). */
function sedReason(words: readonly ShellWord[], named: number): string | null {
  const reason =
    'sed can run commands and write files; only plain printing and replacing is covered by a rule with a star';
  const rest = words.slice(1);
  if (
    rest.some(
      ({ kind, text }) =>
        kind === 'literal' && /^-/.test(text) && !/^-[nErsuz]+$/.test(text) && text !== '--',
    )
  )
    return reason;
  const script = rest.findIndex(({ kind, text }) => kind !== 'literal' || !text.startsWith('-'));
  const word = rest[script];
  if (script === -1 || word === undefined) return null;
  if (script + 1 < named) return null;
  if (word.kind !== 'literal' || !plainSed.test(word.text)) return reason;
  const others = rest.slice(script + 1);
  return others.every((other) => other.kind === 'literal' || !mayBeOption(other)) ? null : reason;
}

const plainSed =
  /^(?:(?:\d+|\$|\/[^/\\\n;{}]*\/)(?:,(?:\d+|\$|\/[^/\\\n;{}]*\/))?)?(?:[pdq=]|s\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gpiI0-9]*)$/;
