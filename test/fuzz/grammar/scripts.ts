import fc from 'fast-check';
import { among, choose, join, many, type Piece, sometimes } from './pieces.ts';
import { soup, spoiled } from './soup.ts';
import { invocation, tameInvocation } from './programs.ts';
import { assignments, earlyRedirects, redirects, wrappers } from './surroundings.ts';
import { deed, runningWord, strange } from './words.ts';

const simple: Piece = join(assignments, earlyRedirects, wrappers, invocation, redirects);
const tameSimple: Piece = join(
  tameInvocation,
  sometimes(among(' > out/x', ' 2>/dev/null', ' >> out/old.txt', ' 2>&1'), 5),
);
const between = among(
  '; ',
  ' && ',
  ' || ',
  ' | ',
  '\n',
  ' & ',
  ' |& ',
  ' ;\\\n',
  '&',
  ';',
  '|',
  ' # marker\n',
);

/** Shell commands that run or write something by means of the shell alone. */
const builtin: Piece = choose(
  [2, join(among('eval ', 'eval "', "eval '"), deed, among('', '"', "'"))],
  [
    1,
    join(
      'trap ',
      among(
        "'marker' EXIT",
        "'marker' 0",
        '"marker" DEBUG',
        "'marker' ERR; false",
        "-- 'marker' EXIT",
        "'marker' RETURN",
      ),
    ),
  ],
  [
    1,
    among(
      "printf -v 'a[$(marker)]' x",
      "read 'a[$(marker)]' <<< x",
      'read -r x < <(marker)',
      'mapfile -C marker -c 1 x < a.txt',
      "mapfile -t 'a[$(marker)]' < a.txt",
      'readarray -C "marker;" -c1 y < a.txt',
      "unset 'a[$(marker)]'",
      "declare 'a[$(marker)]=1'",
      "export 'X=$(marker)'",
      'local x',
      "typeset -i 'x=a[$(marker)]'",
      "let 'a[$(marker)]=1'",
      "test -v 'a[$(marker)]'",
      "[ -v 'a[$(marker)]' ]",
      "declare -n r='a[$(marker)]'; echo $r",
      "getopts x 'a[$(marker)]'",
      "wait -p 'a[$(marker)]'",
      'compgen -C marker',
      'complete -C marker x',
      'compgen -W "$(marker)"',
      "x='$(marker)'; echo ${x@P}",
      "a='b[$(marker)]'; echo $((a))",
      "PS4='$(marker)'; set -x; ls",
      'set -o history; fc -s',
      'history -w pwned',
      'hash -p ./evil ls; ls',
      'enable -f ./evil.so x',
      'enable -n echo; echo',
      'bind -x "x:marker"',
      'coproc marker',
      'coproc X { marker; }',
      'alias ls=marker; ls',
      'shopt -s expand_aliases\nalias ls=marker\nls',
      'ls() { marker; }; ls',
      'function echo { marker; }; echo',
      'function git() { marker; }\ngit status',
      'export -f ls',
      'cd() { marker; }; cd sub',
      'command_not_found_handle() { marker; }; nothing',
      'exec ls',
      'exec marker',
      'exec > pwned; echo x',
      'exec 3> pwned; echo x >&3',
      'exec {f}>pwned',
      'set -C; echo > pwned',
      'cd sub && echo x > out/x',
      'cd ..; echo x > out/x',
      'pushd sub; cat a.txt > out/x',
      'cd out; cat ../a.txt > x',
      'cd sub; ls > ../out/x',
      'cd /; ls',
      'cd bin; ./ls',
      'CDPATH=sub cd out',
      'umask 0',
      'ulimit -n 5',
      'kill -9 1',
      'set -- marker; "$@"',
      'set -- marker; $1',
      'X=marker; $X',
      'X=marker\n"$X"',
      'select x in a; do marker; done < a.txt',
      '. a.txt',
      'source <(echo marker)',
      'logout',
      'exit',
      'return',
      'times',
      'suspend',
      'type ls',
      'command -v ls',
      'export PATH=bin:$PATH; ls',
      'PATH=bin\nls',
      'declare -x PATH=bin; ls',
      'read PATH <<< bin; ls',
      'for PATH in bin; do ls; done',
      ': ${PATH:=x} ${Y:=$(marker)}',
      'printf -v PATH bin; ls',
      'unset PATH; ls',
      'BASH_ALIASES[ls]=marker; ls',
      'BASH_CMDS[ls]=./evil; ls',
      'export BASH_ENV=rc.sh; git status',
      'export LD_PRELOAD=./evil.so; ls',
      'export GIT_PAGER=marker; git log -n 5',
      'readonly IFS=s',
      'mapfile PATH <<< bin',
      'typeset -x GIT_CONFIG_COUNT=1',
      'disown',
      'shopt -s autocd',
      'shopt -s nullglob; ls *.none',
    ),
  ],
);

/** Texts around commands where comments, look-alikes and here-documents hide something. */
function hidden(inner: Piece): Piece {
  return choose(
    [1, join('cat <<E && ', inner, '\n', runningWord, '\nE')],
    [1, join('cat <<A <<B\nx\nA\n', runningWord, '\nB\n', inner)],
    [1, join('echo ', runningWord)],
    [1, join('# ', among('', '\\'), '\n', inner)],
    [1, join('echo x #', among('\\\n', '\r', '\n'), deed)],
    [1, join('echo ', choose([1, runningWord], [1, among('"x"', "'x'", '$X', '`:`')]), '#;', deed)],
    [1, join('echo ', strange, deed)],
    [1, join('echo x', strange, deed)],
    [1, join('ls', strange, among('', '; '), deed)],
  );
}

const subscripted = among(
  '-n x',
  '-v a[$(marker)]',
  'x -eq a[$(marker)]',
  '$(marker) == x',
  'x =~ $(marker)',
  '-f a.txt',
  'x < pwned',
  "-v 'a[$(marker)]'",
  '1 -lt "a[`marker`]"',
);
const counted = among('1', 'x=1', 'a[$(marker)]', 'x+=`marker`', "a['$(marker)']", 'PATH=1');
const listed = choose([2, among('a b', '1', '*.txt', '"$@"')], [1, runningWord]);
const switched = among('x', '$X', '$(marker)', '"`marker`"');
const cases = among('x', '*', '$(marker)', 'a|x');

function branching(inner: Piece): Piece {
  return choose(
    [1, join('if ', inner, '; then ', inner, '; else ', inner, '; fi', redirects)],
    [1, join('for x in ', listed, '; do ', inner, '; done', redirects)],
    [1, join('for ((i=0; i<', among('1', '2', 'a[$(marker)]'), '; i++)); do ', inner, '; done')],
    [1, join(among('while', 'until'), ' ', inner, '; do ', inner, '; break; done')],
    [1, join('case ', switched, ' in ', cases, ') ', inner, among(' ;;', ' ;&', ' ;;&'), ' esac')],
    [1, join('[[ ', subscripted, ' ]] && ', inner)],
    [1, join('(( ', counted, ' )); ', inner)],
    [1, join(inner, ' | while read x; do ', inner, '; done')],
  );
}

const compound: fc.Memo<string> = fc.memo((depth): Piece => {
  const inner = depth <= 1 ? simple : choose([3, simple], [1, compound(depth - 1)], [1, builtin]);
  return choose(
    [3, join(inner, between, inner)],
    [1, join('( ', inner, ' )', redirects)],
    [1, join('{ ', inner, '; }', redirects)],
    [8, branching(inner)],
    [1, join('f() { ', inner, '; }; f')],
    [1, join('f() ( ', inner, ' )\nf', redirects)],
    [1, join(among('coproc ', 'time ', '! '), inner)],
    [9, hidden(inner)],
  );
});

const tameScript: Piece = many(tameSimple, 1, 3, ' && ');

const sensible: Piece = choose(
  [4, tameScript],
  [5, simple],
  [4, compound(2)],
  [2, builtin],
  [1, compound(3)],
);

/**
 * A text for `bash -c`: about half of them something that a rule set allows, the rest with one thing or more that it must not;
 * some have lost their grammar, where a parser and a shell may differ.
 */
export const script: Piece = choose([12, sensible], [2, spoiled(sensible)], [2, soup]);
