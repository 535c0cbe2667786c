import type { ShellWord } from './shell-facts.ts';
import { isShell, programName } from './wrappers.ts';

function set(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/).filter((name) => name !== ''));
}

/** Builtins that run text, change what later commands mean, or evaluate their words. */
const evaluating = set(`
  . source eval exec builtin command trap alias unalias shopt set enable hash declare typeset local readonly export
  unset read mapfile readarray getopts let compgen complete compopt bind fc history jobs coproc wait env`);

/** Programs that start others, as themselves or as somebody else. */
const starting = set(`
  sudo doas su runuser pkexec ssh mosh xargs parallel watch script chroot unshare nsenter flock strace ltrace gdb lldb
  valgrind perf setsid systemd-run at batch crontab tmux screen expect rlwrap entr firejail bwrap proot taskset chrt
  numactl setarch setpriv capsh fakeroot busybox toybox nohup timeout nice ionice time stdbuf caffeinate unbuffer chronic ifne mispipe pee choom prlimit eatmydata faketime cpulimit cgexec sg newgrp
  dbus-run-session xvfb-run start-stop-daemon run-parts hyperfine nodemon concurrently torsocks torify proxychains
  proxychains4 ip socat nc ncat netcat telnet tcpdump logrotate ld.so ldconfig launchctl osascript open xdg-open direnv
  dotenv doppler watchexec reptyr sshpass autossh`);

/** Languages: their arguments are programs. */
const interpreting = set(`
  node nodejs ts-node tsx perl ruby irb php lua luajit tclsh wish expect osascript awk gawk mawk nawk ed ex vi vim vim.basic vim.tiny nvim
  view vimdiff rvim emacs emacsclient nano pico joe Rscript R julia ghci runghc scala groovy jshell java jrunscript
  kotlin elixir iex erl escript swift dc m4 gnuplot octave sqlite3 psql mysql mariadb redis-cli mongo mongosh pwsh
  powershell jjs gimp guile racket sbcl clisp ocaml pdb ipython jupyter qjs d8 wasmtime
  pdflatex xelatex lualatex latex tex latexmk`);

/** The same with a version behind their name. */
const versioned =
  /^(?:python|pypy|perl|ruby|php|lua|node|tclsh|wish|guile|gawk)[0-9][0-9.]*$|^(?:python|pypy)$|^ld-linux.*$/;

/** True for a program whose arguments are programs of a language of its own. */
export function isInterpreter(name: string): boolean {
  return interpreting.has(name) || versioned.test(name) || otherStarters.has(name);
}

/** Programs that run what their words name in a way that is not read here. */
const otherStarters =
  set(`at batch crontab expect socat nc ncat netcat telnet tcpdump logrotate launchctl osascript open
  xdg-open watchexec`);

/** Programs of which some first words start others, and how many words come before what they run. */
const runners: Readonly<Record<string, ReadonlyMap<string, 'inner' | 'never'>>> = {
  npx: new Map([['', 'inner']]),
  bunx: new Map([['', 'inner']]),
  uvx: new Map([['', 'inner']]),
  npm: subs({ inner: 'exec x', never: 'explore init create config set' }),
  pnpm: subs({ inner: 'exec dlx', never: 'init create config set' }),
  yarn: subs({ inner: 'exec dlx', never: 'init create config set node' }),
  uv: subs({ inner: 'run', never: 'tool' }),
  poetry: subs({ inner: 'run', never: 'config' }),
  pipenv: subs({ inner: 'run', never: '' }),
  pipx: subs({ inner: 'run', never: '' }),
  bundle: subs({ inner: 'exec', never: 'config' }),
  rbenv: subs({ inner: 'exec', never: '' }),
  conda: subs({ inner: '', never: 'run' }),
  mise: subs({ inner: '', never: 'exec x run' }),
  asdf: subs({ inner: '', never: 'exec' }),
  go: subs({ inner: '', never: 'run env' }),
  deno: subs({ inner: '', never: 'run eval repl task serve' }),
  bun: subs({ inner: '', never: 'x exec repl' }),
  dotnet: subs({ inner: '', never: 'run exec script' }),
  docker: subs({ inner: '', never: 'run exec container compose create buildx' }),
  podman: subs({ inner: '', never: 'run exec container compose create unshare' }),
  kubectl: subs({ inner: '', never: 'run exec debug attach edit plugin' }),
  nix: subs({ inner: '', never: 'run shell develop eval repl' }),
  gh: subs({ inner: '', never: 'alias extension ext config' }),
  systemctl: subs({ inner: '', never: 'edit' }),
  cargo: subs({ inner: '', never: 'run r' }),
  git: subs({
    inner: '',
    never:
      'bisect filter-branch difftool mergetool send-email daemon hook maintenance for-each-repo instaweb web--browse gui citool credential upload-pack receive-pack upload-archive shell http-backend var p4 svn config',
  }),
};

function subs({ inner, never }: { inner: string; never: string }): ReadonlyMap<string, 'inner' | 'never'> {
  return new Map([
    ...[...set(inner)].map((name) => [name, 'inner'] as const),
    ...[...set(never)].map((name) => [name, 'never'] as const),
  ]);
}

/** What git itself can do; any other word may be an alias of the repository, which may run anything. */
const gitWords =
  set(`add am annotate apply archive blame branch bundle cat-file check-attr check-ignore check-mailmap
  check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree
  count-objects describe diff diff-files diff-index diff-tree fast-export fast-import fetch fetch-pack fmt-merge-msg
  for-each-ref format-patch fsck gc get-tar-commit-id grep hash-object help index-pack init interpret-trailers log
  ls-files ls-remote ls-tree mailinfo mailsplit merge merge-base merge-file merge-index merge-tree mktag mktree
  multi-pack-index mv name-rev notes pack-objects pack-refs patch-id prune prune-packed pull push range-diff read-tree
  rebase reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-pack shortlog
  show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag
  unpack-file unpack-objects update-index update-ref update-server-info verify-commit verify-pack verify-tag version
  whatchanged worktree write-tree`);

/** A first word of `bun` or `deno` that is a file is a program. */
const fileRunners = set('bun deno');
const bunWords =
  set(`test lint fmt check install i add remove rm update outdated pm build info link publish cache
  doc types coverage compile bench upgrade run`);

/**
 * Why no rule with a star vouches for this command: it starts programs that the rule does not name. `named` words of it are
 * spelled out in the rule. null: a rule may.
 */
export function launcherReason(words: readonly ShellWord[], named: number): string | null {
  const first = words[0];
  if (first === undefined) return null;
  const name = programName(first.text);
  if (isShell(name) || evaluating.has(name) || starting.has(name))
    return `${name} runs other commands, which no rule with a star vouches for`;
  if (interpreting.has(name) || versioned.test(name))
    return `${name} runs programs out of its arguments, which no rule with a star vouches for`;
  return runnerReason(words, name, named);
}

function runnerReason(words: readonly ShellWord[], name: string, named: number): string | null {
  const kinds = Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (kinds === undefined) return null;
  const always = kinds.get('');
  // Options may stand before the word that says what to do; then that word is not where we look for it.
  const at =
    always === undefined ? words.findIndex(({ text }, index) => index > 0 && !text.startsWith('-')) : 0;
  const word = words[at];
  if (at === -1 || word === undefined) return null;
  const kind = always ?? kinds.get(word.text);
  if (fileRunners.has(name) && kind === undefined && !bunWords.has(word.text))
    return `${name} ${word.text} runs a program`;
  if (name === 'git' && kind === undefined && named <= at && !gitWords.has(word.text))
    return `${shortWord(word)} is no command of git itself and may be an alias that runs anything`;
  if (word.kind !== 'literal') return `what ${name} is to do is known only when it runs`;
  if (kind === undefined) return optionBefore(words, at, named, name);
  const label = at === 0 ? name : `${name} ${word.text}`;
  if (kind === 'never') return `${label} runs other commands, which no rule with a star vouches for`;
  const inner = words.slice(at + 1);
  if (inner[0] === undefined) return null;
  if (inner[0].text.startsWith('-') || named < at + 2)
    return `${label} runs a program that the rule does not name`;
  return launcherReason(inner, named - at - 1);
}

function shortWord({ text }: ShellWord): string {
  return `"${text.slice(0, 40)}"`;
}

/** `git -c alias.x=!sh x`: an option before the word that says what to do, and the rule does not spell it out. */
function optionBefore(words: readonly ShellWord[], at: number, named: number, name: string): string | null {
  const strange = words
    .slice(1, at)
    .find(({ kind, text }, index) => index + 1 >= named && !(kind === 'literal' && harmlessBefore.has(text)));
  return strange === undefined ? null : `${strange.text} of ${name} changes what it does`;
}

const harmlessBefore =
  set(`--no-pager -P --no-optional-locks --literal-pathspecs --version --help -h -v -s --silent
  --quiet -q`);
