import { among, choose, join, many, type Piece } from './pieces.ts';
import { deed, deedName, disguised, tameWord, word } from './words.ts';

/** Commands that the rule sets allow, with arguments that are what they are for. */
const tame: Piece = choose(
  [6, join('echo ', many(tameWord, 0, 3))],
  [5, join('ls ', many(among('-l', '-a', '--all', '-la', 'sub', 'out', 'a.txt', '--color=never', '.'), 0, 3))],
  [5, join('cat ', many(among('a.txt', 'b.txt', "'two words.txt'", '-n', 'sub/c.txt', '-- -exec'), 1, 3))],
  [4, join('git status', among('', ' --short', ' -s', ' --porcelain=v1', ' -b', ' -- a.txt'))],
  [4, join('git ', among('log', 'diff', 'log --oneline', 'log --stat', 'show HEAD', 'branch', 'diff --stat'), ' -n 5')],
  [2, join('git ', among('add a.txt', 'stash list', 'rev-parse HEAD', 'ls-files', 'grep -n beta', 'commit -m x'))],
  [3, join('npm run test', among('', ' -- --watch', ':unit', ' --silent'))],
  [3, join('find ', among('.', 'sub', 'out sub'), among('', ' -name "*.txt"', ' -type f', ' -maxdepth 1 -print'))],
  [3, join('grep ', among('-n ', '-r ', '-i ', ''), 'beta ', among('a.txt', '.', 'sub', '-- a.txt'))],
  [2, join('sort ', among('', '-u ', '-r '), 'a.txt')],
  [2, join('head ', among('', '-n 1 ', '-1 '), 'a.txt')],
  [2, join('wc ', among('-l ', ''), 'a.txt b.txt')],
  [2, join('sed ', among('-n 1p', "'s/a/b/'", '-e p'), ' a.txt')],
  [1, join('tar ', among('-cf - a.txt', 'cf - sub', '--list -f /dev/null'))],
  [2, among('make check', 'ls -la', 'true', ':', 'pwd', 'test -f a.txt', '[ -d sub ]', 'printf %s x')],
);

/** Options by which a program that only reads runs another one or writes a file; abbreviations of them too. */
const traps: Piece = choose(
  [2, join('find . -exec ', deedName, ' {} ', among('+', '\\;', "';'"))],
  [1, join('find . -', among('ok', 'okdir', 'execdir'), ' ', deedName, ' {} \\;')],
  [2, among('find . -delete', 'find . -name a.txt -fprint pwned', 'find . -fls pwned', "find sub '-fprintf' pwned %p", 'find . -fprint0 pwned')],
  [1, among('find . -e"xe"c marker {} +', "find . $'-exec' marker {} +", 'find . {-exec,marker,"{}",+}', 'find . -fprin{t,t} pwned', 'sort {-o,pwned} a.txt', 'git diff --outpu[t]=* -n 5', 'git diff -n 5 --out*', 'find -files0-from a.txt', 'find . *')],
  [1, join('sort --compress-program=', deedName, ' -S 1 a.txt')],
  [1, among('sort -o pwned a.txt', 'sort --output=pwned a.txt', 'sort --outp=pwned a.txt', 'sort --out pwned a.txt', 'sort -opwned a.txt', 'sort -uo pwned a.txt', 'sort *', 'sort --comp=marker -S1 a.txt')],
  [2, join('tar ', among('--checkpoint=1 --checkpoint-action=exec=', '--use-compress-program=', '-I', '--use-comp=', '--to-command='), deedName, ' -cf - a.txt')],
  [1, among('tar cf pwned a.txt', 'tar -cf pwned a.txt', 'tar --create --fil=pwned a.txt', 'tar cf - *', 'tar -cf - --rsh-command=marker h:a', 'tar cf x:y a.txt', 'tar -F marker -cf - a.txt')],
  [2, join('sed ', among("'1e marker' a.txt", "'1w pwned' a.txt", '-n "s/a/marker/e" a.txt', '-i s/a/b/ a.txt', '--in-place s/a/b/ a.txt', '--in-pl=x p a.txt', '-f evil.sed a.txt', '-ni p a.txt', '--expr=1emarker a.txt', '-f evil.sed', 's/a/b/w\\ pwned a.txt'))],
  [2, among("awk 'BEGIN{system(\"marker\")}'", "awk '{print > \"pwned\"}' a.txt", "awk 'BEGIN{\"marker\"|getline}'", 'awk -f evil.awk', "awk '{print|\"marker\"}' a.txt")],
  [2, join('git ', among('-c core.pager=', '-c core.fsmonitor=', '-c alias.status=!', '-c alias.x=!', '-c diff.external=', '-c core.sshCommand=', '-c core.editor='), deedName, ' ', among('status', 'x', 'diff', 'log -n 5', '-p status', 'fetch ssh://h/x', 'commit'))],
  [2, among('git lg', 'git run marker', 'git st', 'git -C sub status', 'git --exec-path=bin status', 'git --git-dir=.git status', 'git --work-tree=/ status', 'git -p log -n 5', 'git --paginate status', 'git --config-env=core.pager=PWD status', 'git --bare status')],
  [2, among('git fetch --upload-pack=marker .', 'git ls-remote --upload-pack=marker .', 'git ls-remote --upl=marker .', 'git ls-remote -u marker .', "git ls-remote 'ext::marker'", 'git archive --output=pwned HEAD', 'git archive --outp=pwned HEAD', 'git log --output=pwned', 'git diff --output=pwned -n 5', 'git diff --outp pwned HEAD', 'git show --output=pwned HEAD -n 5', 'git status --output=pwned')],
  [2, among('git grep -Omarker beta', 'git grep --open-files-in-pager=marker beta', 'git rebase -x marker HEAD', 'git bisect run marker', 'git submodule foreach marker', 'git filter-branch --tree-filter marker', 'git diff --ext-diff -n 5', 'git difftool -x marker -y', 'git difftool --extcmd=marker HEAD', 'git help -w status', 'git clone . out/clone', 'git worktree add out/w', 'git config core.pager marker', 'git push', 'git reset --hard', 'git clean -fdx', 'git hook run x', 'git mergetool', 'git send-email', 'git instaweb', 'git daemon', 'git log -n 5 --textconv', 'git var GIT_EDITOR')],
  [1, join('xargs ', among('', '-n1 ', '-I{} ', '-a a.txt ', '--max-args=1 ', '-0 '), among('ls', 'marker', 'rm', 'echo', './evil', 'sh -c', ''), ' < a.txt')],
  [1, among('npm run test:$(marker)', 'npm run tester', 'npm run test; marker', 'npm run test&&marker', 'npm run "test"', 'npm --prefix sub run test', 'npm run evil', 'npm exec marker', 'npx marker', 'npm run-script test')],
  [1, join('lsof ', word)],
  [1, among('ls-la', 'catalog', 'echoes', 'git-status', 'gitstatus', 'git statusx', 'git status-x', 'Git status', 'LS', 'ls.', 'make checks', 'make check x', 'make', 'ls -la x')],
  [1, among('ls --hyperlink=always', 'cat /etc/passwd', 'cat ~/.bashrc', 'grep -f a.txt b.txt', 'grep --color=always beta a.txt', 'head -c1 /dev/zero', 'wc --files0-from=a.txt', 'ls --dired')],
);

const foreign: Piece = choose([2, deed], [1, join(deedName, ' ', word)], [1, join('bash -c ', among("'marker'", '"ls"', "'ls; marker'")), ], [1, among('sh rc.sh', 'bash rc.sh', 'perl -e "system q(marker)"', '. ./rc.sh', 'source rc.sh', 'sh < rc.sh', 'bash <<< marker', 'python3 -c x', 'node x', 'sh -s < rc.sh', './rc-program', 'out/echo', 'sub/ls', 'vi a.txt', 'less a.txt', 'dd of=pwned', 'cp a.txt pwned', 'mv a.txt pwned', 'ln -s a.txt pwned', 'mkdir pwned', 'tee pwned', 'tee out/x', 'install a.txt pwned', 'split a.txt', 'crontab -e')]);

/** A name of a program that the rule sets know, in disguise. */
const masked: Piece = join(choose([1, disguised('ls')], [1, disguised('cat')], [1, disguised('marker')], [1, disguised('rm')], [1, disguised('git')]), ' ', word);

/** A program with its arguments, mostly one that a rule set allows. */
export const invocation: Piece = choose([14, tame], [3, join(tame, ' ', word)], [3, traps], [1, foreign], [1, masked]);
export const tameInvocation: Piece = tame;
