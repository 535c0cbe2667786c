import { among, choose, join, many, type Piece, sometimes } from './pieces.ts';
import { deed, deedName, runningWord, tameWord } from './words.ts';

const harmlessAssignment = among('X=1', "X='a b'", 'LC_ALL=C', 'TZ=UTC', 'FOO=bar', 'NODE_ENV=test', 'CI=1');
const assignment: Piece = choose(
  [2, harmlessAssignment],
  [1, join('X=', tameWord)],
  [1, join('X=', runningWord)],
  [1, join('X[$(', deed, ')]=1')],
  [1, join('X+=', runningWord)],
  [1, join('X=(', runningWord, ')')],
  [1, among('PATH=bin', 'PATH=bin:$PATH', 'PATH=$PWD/bin:/usr/bin', 'PATH+=:.', 'PATH=', 'PATH=:')],
  [1, among('LD_PRELOAD=./evil.so', 'LD_LIBRARY_PATH=.', 'LD_AUDIT=./evil.so', 'BASH_ENV=rc.sh', 'ENV=./rc.sh', 'SHELLOPTS=xtrace', 'PS4=\'$(marker)\'', 'IFS=s', 'IFS=/', 'SHELL=./evil', 'HOME=.', 'PROMPT_COMMAND=marker', 'BASH_FUNC_ls%%="() { marker; }"')],
  [1, join(among('GIT_SSH_COMMAND', 'GIT_PAGER', 'PAGER', 'GIT_EDITOR', 'EDITOR', 'VISUAL', 'GIT_EXTERNAL_DIFF', 'GIT_SSH', 'GIT_ASKPASS', 'SSH_ASKPASS', 'BROWSER', 'LESSOPEN', 'MAKE', 'TAR_OPTIONS', 'MANPAGER'), '=', deedName)],
  [1, among('GIT_DIR=.git', 'GIT_WORK_TREE=/', 'GIT_EXEC_PATH=bin', 'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./evil', 'GIT_CONFIG_PARAMETERS="\'core.fsmonitor=./evil\'"', 'GIT_TRACE=$PWD/pwned', 'GIT_TRACE2=$PWD/pwned', 'GIT_CONFIG_GLOBAL=a.txt', 'GIT_INDEX_FILE=pwned', 'GREP_OPTIONS=-f', 'TAR_OPTIONS="--checkpoint=1 --checkpoint-action=exec=marker"', 'TMPDIR=.', 'GCONV_PATH=.', 'LOCPATH=.', 'BASHOPTS=extglob', 'POSIXLY_CORRECT=1', 'CDPATH=sub', 'GLOBIGNORE=*', 'PERL5OPT=-Mevil', 'PYTHONSTARTUP=x', 'NODE_OPTIONS=-r./x')],
);

/** `NAME=value` before a command. */
export const assignments: Piece = sometimes(join(many(assignment, 1, 2), ' '), 8);

const wrapper: Piece = choose(
  [3, among('timeout 5', 'timeout -k 1 5s', 'timeout --signal=KILL 5', 'nice', 'nice -n 5', 'nohup', 'env', 'stdbuf -oL', 'time', 'time -p', 'command', 'command -p', 'builtin', 'exec', '!', 'setsid', 'ionice -c3')],
  [1, among('timeout', 'timeout -s', 'nice -n', 'nice --adj=5', 'timeout --fore 5', 'timeout --preserve-status 5', 'stdbuf --output=0', 'stdbuf -o 0 -e 0', 'nice -5', 'timeout 5 nice nohup', 'env -u X', 'env -i', 'env --', 'env -', 'timeout -- 5', 'command --', 'exec -a ls', 'exec -c', 'command -v', 'command -V')],
  [1, join('env ', among('X=1', 'PATH=bin', 'LD_PRELOAD=./evil.so', 'BASH_ENV=rc.sh', '-C sub', '--chdir=sub', '-S"marker x"', '-S marker', "--split-string='marker'", "-vS 'marker'", '--spl=marker', 'GIT_PAGER=marker', '-uX -C /'))],
  [1, among('sudo', 'doas', 'sudo -u root', 'chronic', 'unbuffer', 'busybox', '/usr/bin/env', '/usr/bin/time -o pwned', 'time -f x -o pwned', 'xargs', 'eval', 'find . -exec', 'sh -c', 'nsenter', 'unshare', 'setpriv --nnp', 'flock pwned', 'script -c', 'watch', 'parallel', 'strace', 'taskset 1', 'chroot .', 'ld.so')],
);
/** What runs another program. */
export const wrappers: Piece = sometimes(join(many(wrapper, 1, 2), ' '), 7);

const goodTarget = among('out/x', 'out/old.txt', './out/y', '"out/z w"', '/dev/null', 'into/x', 'out/../out/x');
const badTarget: Piece = choose(
  [3, among('pwned', 'a.txt', 'sub/x', '../pwned', 'out/../pwned', '/tmp/pwned', 'out/link', 'out/folder/c.txt', '~/.bashrc', 'out', 'into/link', '.git/config', '.git/hooks/x', 'outside', 'out.txt', "'out'pwned", 'into-file', 'out/folder/../pwned', 'out//../pwned', 'out/loop')],
  [1, among('$X', '"$HOME/x"', '{out/x,pwned}', '*.txt', 'out/$X', 'out/$(echo ../pwned)', 'out/`echo ../pwned`', '$(echo pwned)', 'out/*', '~+/pwned', '&pwned')],
  [1, join('>(', deed, ')')],
  [1, among('/dev/tcp/127.0.0.1/9', '/dev/udp/127.0.0.1/9', '/dev/fd/1', '/dev/stdout', '/proc/self/fd/1', '/proc/self/cwd/pwned')],
);
const operator = among('>', '>>', '>|', '&>', '&>>', '>&', '<>', '1>', '2>', '3>', '{fd}>', '3<>');
const redirect: Piece = choose(
  [5, join(among('>', '>>', '2>', '&>'), ' ', goodTarget)],
  [3, among('2>&1', '2>/dev/null', '< a.txt', '>&2', '< /dev/null', '3<&0', '2>&-', '<&-', '1>&2')],
  [3, join(operator, among(' ', ''), badTarget)],
  [1, join('< ', choose([1, join('<(', deed, ')')], [1, among('$X', '/dev/tcp/127.0.0.1/9', '~/.bashrc')]))],
  [1, join('<<< ', choose([2, tameWord], [1, runningWord]))],
  [1, join('<<E\n', choose([2, tameWord], [2, runningWord]), '\nE\n')],
  [1, join("<<'E'\n", runningWord, '\nE\n')],
  [1, join('<<-"E"\n\t', runningWord, '\n\tE\n')],
  [1, join('<<\\E\n', runningWord, '\nE\n', deed, '\n')],
  [1, join('<<E\n', tameWord, '\nE \nE\n', deed, '\n')],
);
/** Redirections, with a space before. */
export const redirects: Piece = sometimes(join(' ', many(redirect, 1, 2)), 4);
/** The same before the command. */
export const earlyRedirects: Piece = sometimes(join(redirect, ' '), 30);
