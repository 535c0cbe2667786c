import { describe, expect, test } from 'vitest';
import { parseShell } from '../../../../electron/node/shell-syntax/parse-shell.ts';
import type { SourcedRule } from '../../../../shared/domain/permissions/rules.ts';
import type { ShellFacts } from '../../../../shared/domain/permissions/shell-facts.ts';
import { shellVerdict } from '../../../../shared/domain/permissions/shell-policy.ts';

function rule(effect: SourcedRule['effect'], subject: string): SourcedRule {
  return { effect, tool: 'Bash', subject, id: null, source: 'settings' };
}

/** Literal targets get a path below the session directory, `cd` goes to one. */
function withPaths(facts: ShellFacts): ShellFacts {
  if (facts.kind === 'unparsed') return facts;
  const place = (text: string): string => (text.startsWith('/') ? text : `/s/${text}`);
  return {
    ...facts,
    parts: facts.parts.map((part) => ({
      ...part,
      redirects: part.redirects.map((each) =>
        each.target?.kind === 'literal' ? { ...each, paths: [place(each.target.text)] } : each,
      ),
      ...(part.words[0]?.text === 'cd' && part.words[1]?.kind === 'literal'
        ? { goesTo: place(part.words[1].text) }
        : {}),
    })),
  };
}

async function verdict(command: string, rules: readonly SourcedRule[]) {
  const shell = withPaths(await parseShell(command, 'bash'));
  return shellVerdict({ subject: command, shell }, rules, {
    dir: '/s',
    mayWrite: (paths) => paths.every((path) => path.startsWith('/s/out')),
    mayRead: (paths) => paths.every((path) => path.startsWith('/s/')),
  });
}

/** `yes`, or why no allow rule covers it. */
async function allowed(command: string, subjects: readonly string[]): Promise<string> {
  const { allow, uncovered } = await verdict(
    command,
    subjects.map((subject) => rule('allow', subject)),
  );
  return allow === null ? (uncovered?.reason ?? 'nothing is said') : 'yes';
}

/** `deny`, `ask` (it may be meant), or `no`. */
async function stopped(command: string, subject: string): Promise<string> {
  const { deny, ask } = await verdict(command, [rule('deny', subject)]);
  return deny !== null ? 'deny' : ask !== null ? 'ask' : 'no';
}

type Case = [rules: string, command: string];

/** Rules are parted by `;;`. */
const rulesOf = (text: string): string[] => text.split(' ;; ');

describe('allowed', () => {
  test.each<Case>([
    ['git status', 'git status'],
    ['git status', '  git status '],
    ['git status', 'git   status'],
    ['git status', '"git" status'],
    ['git status', 'timeout 5 git status'],
    ['sh -c "rm x"', 'sh -c "rm x"'],
    ['for i in 1; do rm $i; done', 'for i in 1; do rm $i; done'],
    ['a | sh', 'a | sh'],
    ['echo $((x+1)) > /etc/y', 'echo $((x+1)) > /etc/y'],
    ['git push:*', 'git push'],
    ['git push:*', 'git push origin main'],
    ['git push *', 'git push'],
    ['git push *', 'git push "a b"'],
    ['git:*', 'git log --oneline'],
    ['git:*', 'git --no-pager log'],
    ['npm run test*', 'npm run test:unit'],
    ['npm run * --silent', 'npm run a --silent'],
    ['npm run *', 'npm run build -- --x'],
    ['ls *', 'ls "a b" c'],
    ['ls:*', 'ls *.ts ~ {a,b} $x "$(pwd)"'],
    ['echo \\*', "echo '*'"],
    ['git status ;; ls:*', 'git status && ls -l'],
    ['ls:*', 'ls | ls; ls & ls'],
    ['ls:*', '(ls; { ls; }) || ! ls'],
    ['ls:*', 'if ls; then ls; fi; while ls; do ls; done'],
    ['ls:*', 'for f in a b; do ls $f; done'],
    ['ls:*', 'case $x in a) ls;; esac'],
    ['ls:*', 'ls $(ls) `ls` <(ls)'],
    ['ls:*', 'time ls'],
    ['ls:*', 'x=1; ls $x'],
    ['ls:*', 'x=$(ls); echo $x'],
    ['ls:*', 'ls # nothing'],
    ['ls:*', 'ls >/dev/null 2>&1'],
    ['ls:*', 'ls > out'],
    ['ls:*', 'ls >> out.txt 2> out.err'],
    ['cat:*', 'cat < in'],
    ['cat:*', 'cat <<X\na $(echo b)\nX'],
    ['ls:*', 'LANG=C LC_ALL=C ls'],
    ['ls:*', 'timeout 5 ls'],
    ['ls:*', 'timeout -k 5 --signal=KILL 10s ls'],
    ['ls:*', 'nice -n 5 nohup ls'],
    ['ls:*', 'nice -5 ls'],
    ['ls:*', 'stdbuf -oL ls'],
    ['ls:*', 'env NO_COLOR=1 ls'],
    ['ls:*', 'command ls'],
    ['ls:*', 'builtin ls'],
    ['ls:*', 'timeout 5 nice env CI=1 command ls'],
    ['ls:*', 'true && ls'],
    ['ls:*', 'pwd; echo $x "done"; ls; printf "%s\\n" a; :; false || exit 1'],
    ['ls:*', 'cd sub && ls'],
    ['ls:*', '[ -f x ] && test -d y && ls'],
    ['ls:*', '[[ -f $x && $y == a* ]] && ls'],
    ['ls:*', 'command -v ls && ls'],
    ['ls:*', 'ls | cat'],
    ['git commit:*', "git commit -m \"$(cat <<'X'\nfix: it's (done)\nX\n)\""],
    ['git commit:*', 'git commit -m "fix: $x"'],
    ['git add:*', 'git add "src/$x" src/*.ts'],
    ['find:*', 'find . -name "*.ts" -type f'],
    ['tar:*', 'tar -xzf a.tgz -C out'],
    ['tar:*', 'tar cf x.tar ./*'],
    ['sed:*', "sed -n '1,5p' f"],
    ['sed:*', "sed 's/a/b/g' f"],
    ['sort:*', 'sort -u -k 2 f'],
    ['rg:*', 'rg --pretty x'],
    ['curl:*', 'curl -fsSL https://a.example'],
    ['npx eslint:*', 'npx eslint .'],
    ['npm exec eslint:*', 'npm exec eslint .'],
    ['bun test:*', 'bun test a'],
    ['cargo test:*', 'cargo test --release'],
    ['make:*', 'make -j4 test'],
    ['git -C x log:*', 'git -C x log -1'],
    ['* --version', 'jq --version'],
  ])('%s allows %j', async (rules, command) => {
    expect(await allowed(command, rulesOf(rules))).toBe('yes');
  });

  test.each<[...Case, string]>([
    ['git status', 'git status -s', 'No rule allows'],
    ['git status', 'git "status "', 'No rule allows'],
    ['git push origin', 'git "push origin"', 'No rule allows'],
    ['git push:*', 'git pushx', 'No rule allows'],
    ['git push:*', 'git "push x"', 'No rule allows'],
    ['git push:*', 'git $x', 'No rule allows'],
    ['git push:*', 'git p*', 'No rule allows'],
    ['git push:*', 'git -C x push', 'No rule allows'],
    ['git push:*', 'git push; rm x', 'No rule allows'],
    ['ls:*', 'lsof', 'No rule allows'],
    ['ls:*', '/bin/ls', 'No rule allows'],
    ['ls:*', './ls', 'No rule allows'],
    ['ls:*', '{ls,-l}', 'known only when it runs'],
    ['ls:*', '~/ls', 'known only when it runs'],
    ['ls:*', '$x ls', 'known only when it runs'],
    ['ls:*', '"$x" ls', 'known only when it runs'],
    ['ls:*', '$(ls)', 'known only when it runs'],
    ['ls:*', 'ls && rm x', 'No rule allows'],
    ['ls:*', 'ls || rm x', 'No rule allows'],
    ['ls:*', 'ls; rm x', 'No rule allows'],
    ['ls:*', 'ls\nrm x', 'No rule allows'],
    ['ls:*', 'ls & rm x', 'No rule allows'],
    ['ls:*', 'ls | rm x', 'No rule allows'],
    ['ls:*', 'ls $(rm x)', 'No rule allows'],
    ['ls:*', 'ls `rm x`', 'No rule allows'],
    ['ls:*', 'ls "$(rm x)"', 'No rule allows'],
    ['ls:*', 'ls <(rm x)', 'No rule allows'],
    ['ls:*', 'ls ${x:-$(rm x)}', 'No rule allows'],
    ['ls:*', 'ls > $(rm x)', 'No rule allows'],
    ['ls:*', 'ls <<X\n$(rm x)\nX', 'No rule allows'],
    ['ls:*', 'x=$(rm x); ls', 'No rule allows'],
    ['ls:*', 'x=(a $(rm x)); ls', 'No rule allows'],
    ['ls:*', 'for f in $(rm x); do ls; done', 'No rule allows'],
    ['ls:*', 'if ls; then rm x; fi', 'No rule allows'],
    ['ls:*', 'case a in a) rm x;; esac; ls', 'No rule allows'],
    ['ls:*', '[[ $(rm x) ]] && ls', 'No rule allows'],
    ['ls:*', '! rm x; ls', 'No rule allows'],
    ['ls:*', 'time rm x; ls', 'No rule allows'],
    ['ls:*', '(rm x); ls', 'No rule allows'],
    ['ls:*', 'ls >(rm x)', 'a process substitution that is written to'],
    ['ls:*', 'ls() { rm x; }; ls', 'a function of its own'],
    ['ls:*', 'ls $((a[$(rm x)]))', 'arithmetic'],
    ['ls:*', 'ls > x', 'which no rule allows'],
    ['ls:*', 'ls > /etc/passwd', 'which no rule allows'],
    ['ls:*', 'ls > $x', 'known only when it runs'],
    ['ls:*', 'ls > *', 'known only when it runs'],
    ['cat:*', 'cat < /etc/shadow', 'which no rule allows'],
    ['ls:*', '{ ls; } > /etc/passwd', 'known only when it runs'],
    ['ls:*', '> out', 'known only when it runs'],
    ['ls:*', 'PATH=. ls', 'Setting PATH'],
    ['ls:*', 'PATH=.; ls', 'Setting PATH'],
    ['ls:*', 'LD_PRELOAD=x.so ls', 'Setting LD_PRELOAD'],
    ['ls:*', 'FOO=1 ls', 'Setting FOO'],
    ['ls:*', 'PS4=x; ls', 'Setting PS4'],
    ['ls:*', 'http_proxy=x; ls', 'Setting http_proxy'],
    ['ls:*', 'for PATH in x; do ls; done', 'Setting PATH'],
    ['ls:*', 'IFS=x; ls', 'Setting IFS'],
    ['ls:*', 'env PATH=. ls', 'env runs other commands'],
    ['ls:*', 'env -i ls', 'env runs other commands'],
    ['ls:*', 'env -S "ls"', 'env runs other commands'],
    ['ls:*', 'env a.b=1 ls', 'env runs other commands'],
    ['ls:*', 'env "$x" ls', 'known only when it runs'],
    ['ls:*', 'timeout $t ls', 'timeout runs other commands'],
    ['ls:*', 'timeout -k $x 5 ls', 'timeout runs other commands'],
    ['ls:*', 'timeout --unknown 5 ls', 'timeout runs other commands'],
    ['ls:*', 'nice -n 5 rm x', 'No rule allows'],
    ['ls:*', 'timeout 5 rm x', 'No rule allows'],
    ['ls:*', 'command -p ls', 'command runs other commands'],
    ['ls:*', 'sudo ls', 'sudo runs other commands'],
    ['sudo:*', 'sudo ls', 'sudo runs other commands'],
    ['sudo ls:*', 'sudo ls -l', 'sudo runs other commands'],
    ['sh:*', 'sh -c ls', 'sh runs other commands'],
    ['bash *', 'bash x.sh', 'bash runs other commands'],
    ['*', 'bash x.sh', 'bash runs other commands'],
    ['/bin/sh:*', '/bin/sh -c ls', 'sh runs other commands'],
    ['eval:*', 'eval ls', 'eval runs other commands'],
    ['source:*', 'source x', 'source runs other commands'],
    ['.:*', '. x', '. runs other commands'],
    ['exec:*', 'exec ls', 'exec runs other commands'],
    ['xargs:*', 'xargs ls', 'xargs runs other commands'],
    ['parallel:*', 'parallel ls', 'parallel runs other commands'],
    ['trap:*', 'trap ls EXIT', 'trap runs other commands'],
    ['alias:*', 'alias ls=rm', 'alias runs other commands'],
    ['export:*', 'export PATH=.', 'export runs other commands'],
    ['read:*', 'read x', 'read runs other commands'],
    ['set:*', 'set -x', 'set runs other commands'],
    ['hash:*', 'hash -p /bin/rm ls', 'hash runs other commands'],
    ['python:*', 'python -c 1', 'python runs programs'],
    ['python3.12:*', 'python3.12 x.py', 'python3.12 runs programs'],
    ['node:*', 'node x.js', 'node runs programs'],
    ['perl:*', 'perl -e 1', 'perl runs programs'],
    ['awk:*', "awk 'BEGIN{system(1)}'", 'awk runs programs'],
    ['vim:*', 'vim x', 'vim runs programs'],
    ['ssh:*', 'ssh host ls', 'ssh runs other commands'],
    ['watch:*', 'watch ls', 'watch runs other commands'],
    ['npx:*', 'npx eslint', 'does not name'],
    ['npx *', 'npx --yes eslint', 'does not name'],
    ['npm exec:*', 'npm exec eslint', 'does not name'],
    ['npm:*', 'npm exec eslint', 'does not name'],
    ['npm run:*', 'npm run x --script-shell=/x', '--script-shell'],
    ['uv run:*', 'uv run python x', 'does not name'],
    ['uv run python:*', 'uv run python x', 'python runs programs'],
    ['bun:*', 'bun x.ts', 'runs a program'],
    ['deno run:*', 'deno run x.ts', 'deno run runs other commands'],
    ['go run:*', 'go run x.go', 'go run runs other commands'],
    ['go test:*', 'go test -exec ./x', '-exec'],
    ['docker run:*', 'docker run x', 'docker run runs other commands'],
    ['git:*', 'git -c core.pager=x log', 'no command of git'],
    ['git:*', 'git --exec-path=. log', 'changes what it does'],
    ['git:*', 'git -C x log', 'no command of git'],
    ['git:*', 'git lg', 'no command of git'],
    ['git:*', 'git config core.pager x', 'git config runs other commands'],
    ['git:*', 'git bisect run x', 'git bisect runs other commands'],
    ['git submodule:*', 'git submodule foreach x', 'foreach'],
    ['git push:*', 'git push --receive-pack=x', '--receive-pack'],
    ['git push:*', 'git push --rec=x', '--rec'],
    ['git fetch:*', 'git fetch --upload-p x y', '--upload-p'],
    ['git fetch:*', 'git fetch ext::x', 'ext::x'],
    ['git fetch:*', 'git fetch $x', 'may be an option'],
    ['git fetch:*', 'git fetch "$x"', 'may be an option'],
    ['git rebase:*', 'git rebase -x ls', '-x'],
    ['git grep:*', 'git grep -Ols x', '-Ols'],
    ['git clone:*', 'git clone -c core.x=y z', '-c'],
    ['git diff:*', 'git diff --output=x', '--output'],
    ['find:*', 'find . -exec ls {} +', '-exec'],
    ['find:*', 'find . -delete', '-delete'],
    ['find:*', 'find . -fprintf x', '-fprintf'],
    ['find:*', 'find . {-exec,ls,+}', 'may be an option'],
    ['find:*', 'find $x', 'may be an option'],
    ['fd:*', 'fd x -x ls', '-x'],
    ['rg:*', 'rg --pre x y', '--pre'],
    ['sort:*', 'sort --compress-prog=x y', '--compress-prog'],
    ['sort:*', 'sort -ox y', '-ox'],
    ['tar:*', 'tar xf a --to-command=x', '--to-command'],
    ['tar:*', 'tar xf a --checkpoint-act=exec=x', '--checkpoint-act'],
    ['tar:*', 'tar -xIx -f a', '-xIx'],
    ['tar:*', 'tar xIf x a', 'xIf'],
    ['tar:*', 'tar xf h:a', 'h:a'],
    ['tar:*', 'tar cf a *', 'may be an option'],
    ['zip:*', 'zip -TT x a', '-TT'],
    ['rsync:*', 'rsync -ae x a b', '-ae'],
    ['sed:*', 'sed -i s/a/b/ f', 'sed can run'],
    ['sed:*', 'sed 1e f', 'sed can run'],
    ['sed:*', 'sed s/a/b/e f', 'sed can run'],
    ['sed:*', 'sed "w x" f', 'sed can run'],
    ['sed:*', 'sed -e p f', 'sed can run'],
    ['sed:*', 'sed p f --in-place', 'sed can run'],
    ['sed:*', 'sed "$x" f', 'sed can run'],
    ['curl:*', 'curl -o x y', '-o'],
    ['curl:*', 'curl -K x', '-K'],
    ['wget:*', 'wget --use-ask=x y', '--use-ask'],
    ['less:*', 'less +!ls', '+!ls'],
    ['man:*', 'man -P x y', '-P'],
    ['make:*', 'make SHELL=/x', 'SHELL=/x'],
    ['make:*', 'make -f x', '-f'],
    ['make:*', 'make --ev=x', '--ev'],
    ['gcc:*', 'gcc -wrapper x y', '-wrapper'],
    ['echo:*', 'printf -v x a', 'No rule allows'],
    ['ls:*', 'echo a', 'No rule allows'],
    ['ls:*', 'pwd', 'No rule allows'],
    ['ls:*', 'cd /etc && ls', 'No rule allows'],
    ['ls:*', 'cd $x && ls', 'No rule allows'],
    ['ls:*', 'test -v "a[$(x)]" && ls', 'No rule allows'],
    ['ls:*', 'printf "$x" && ls', 'No rule allows'],
    ['ls:*', 'printf -v "a[0]" x && ls', 'No rule allows'],
    ['ls:*', 'echo a > x && ls', 'which no rule allows'],
    ['ls:*', 'ls "', 'No pattern vouches'],
    ['ls:*', 'ls \u200b', 'No pattern vouches'],
    ['*', '$x', 'known only when it runs'],
    ['cat a.txt', 'cat a.txt\u00a0', 'No pattern vouches'],
    ['cat a.txt', 'cat a.txt\u2028', 'No pattern vouches'],
    ['cat a.txt', '\ufeffcat a.txt', 'No pattern vouches'],
    ['cat a.txt', 'cat a.txt\v', 'No pattern vouches'],
    ['cat a', 'cat a\\ ', 'No rule allows'],
  ])('%s does not allow %j: %s', async (rules, command, reason) => {
    expect(await allowed(command, rulesOf(rules))).toContain(reason);
  });

  test('the rules that cover the parts are named once each, in the order of the parts', async () => {
    const rules = [rule('allow', 'git:*'), rule('allow', 'ls'), rule('allow', 'cat:*')];
    const { allow, uncovered } = await verdict('ls; git log | cat x; git status', rules);
    expect({ allow: allow?.map(({ subject }) => subject), uncovered }).toEqual({
      allow: ['ls', 'git:*', 'cat:*'],
      uncovered: null,
    });
  });

  test('a part that no rule covers is shown as it was written', async () => {
    const { uncovered } = await verdict('ls && (rm  -rf "$x")', [rule('allow', 'ls:*')]);
    expect(uncovered).toEqual({ part: 'rm  -rf "$x"', reason: 'No rule allows this part.' });
  });

  test('rules of other tools and without brackets are left to the caller', async () => {
    const other: SourcedRule[] = [
      { ...rule('allow', 'ls'), tool: 'Read' },
      { effect: 'deny', tool: 'Bash', subject: null, id: null, source: 'settings' },
    ];
    const { deny, ask, allow } = await verdict('ls', other);
    expect({ deny, ask, allow }).toEqual({ deny: null, ask: null, allow: null });
  });

  test('without facts only the exact text is allowed', () => {
    const rules = [rule('allow', 'ls'), rule('allow', 'cat:*')];
    const context = { dir: '/s', mayWrite: () => true, mayRead: () => true };
    const of = (subject: string) => shellVerdict({ subject }, rules, context).allow !== null;
    expect([of('ls'), of('cat x')]).toEqual([true, false]);
  });
});

describe('denied', () => {
  test.each<[rule: string, command: string, outcome: 'deny' | 'ask' | 'no']>([
    ['rm:*', 'rm -rf x', 'deny'],
    ['rm:*', 'ls; rm x', 'deny'],
    ['rm:*', 'ls $(rm x)', 'deny'],
    ['rm:*', 'f() { rm x; }', 'deny'],
    ['rm:*', 'coproc rm x', 'deny'],
    ['rm:*', 'r""m x', 'deny'],
    ['rm:*', '\\rm x', 'deny'],
    ['rm:*', "$'\\x72m' x", 'deny'],
    ['rm:*', '/bin/rm x', 'deny'],
    ['rm:*', './rm x', 'deny'],
    ['rm:*', '../../bin/rm x', 'deny'],
    ['rm:*', 'command rm x', 'deny'],
    ['rm:*', 'command -p rm x', 'deny'],
    ['rm:*', 'builtin rm', 'deny'],
    ['rm:*', 'exec -a x rm y', 'deny'],
    ['rm:*', 'sudo rm x', 'deny'],
    ['rm:*', 'sudo -u root -E rm x', 'deny'],
    ['rm:*', 'sudo A=1 rm x', 'deny'],
    ['rm:*', 'doas rm x', 'deny'],
    ['rm:*', 'timeout 5 rm x', 'deny'],
    ['rm:*', 'timeout -s KILL 5 nice -n 3 nohup rm x', 'deny'],
    ['rm:*', 'env A=1 rm x', 'deny'],
    ['rm:*', 'env -i -u B rm x', 'deny'],
    ['rm:*', 'env -S "rm x"', 'deny'],
    ['rm:*', 'env --split-str="rm x"', 'deny'],
    ['rm:*', 'A=1 rm x', 'deny'],
    ['rm:*', 'rm x > /dev/null', 'deny'],
    ['rm:*', '> out rm x', 'deny'],
    ['rm:*', 'xargs rm', 'deny'],
    ['rm:*', 'ls | xargs -n 1 -0 rm -f', 'deny'],
    ['rm:*', 'find . -exec rm {} \\;', 'deny'],
    ['rm:*', 'find . -name x -execdir rm {} +', 'deny'],
    ['rm:*', 'sh -c "rm x"', 'deny'],
    ['rm:*', 'bash -lc "ls; rm x"', 'deny'],
    ['rm:*', 'sudo bash -c "sh -c \\"rm x\\""', 'deny'],
    ['rm:*', 'eval "rm x"', 'deny'],
    ['rm:*', 'eval rm x', 'deny'],
    ['rm:*', 'trap "rm x" EXIT', 'deny'],
    ['rm:*', 'ssh host rm x', 'deny'],
    ['rm:*', 'watch "rm x"', 'deny'],
    ['rm:*', 'su -c "rm x"', 'deny'],
    ['rm:*', 'mapfile -C rm x', 'deny'],
    ['rm:*', 'busybox rm x', 'deny'],
    ['rm:*', 'setsid -f rm x', 'deny'],
    ['rm:*', 'time rm x', 'deny'],
    ['rm:*', '! rm x', 'deny'],
    ['rm:*', 'while rm x; do :; done', 'deny'],
    ['git push --force:*', 'git push --force', 'deny'],
    ['git push --force:*', 'git -C x push --force origin', 'deny'],
    ['git push --force:*', 'git -c a=b --no-pager push --force', 'deny'],
    ['git push:*', '/usr/bin/git --git-dir=x push', 'deny'],
    ['npm publish:*', 'npm --prefix x publish', 'deny'],
    ['docker rm:*', 'docker -H x rm y', 'deny'],
    ['kubectl delete:*', 'kubectl -n x delete pod', 'deny'],
    ['rm -rf /', 'rm -rf /', 'deny'],
    ['rm -rf /', 'rm   -rf   "/"', 'deny'],
    ['*--force*', 'git push --force', 'deny'],
    ['curl *', 'curl x', 'deny'],
    ['echo "a b"', 'echo "a b"', 'deny'],
    ['rm:*', 'echo rm', 'no'],
    ['rm:*', 'ls rm', 'no'],
    ['rm:*', 'rmdir x', 'no'],
    ['rm:*', 'git rm x', 'no'],
    ['rm:*', 'git commit -m "rm x"', 'no'],
    ['rm:*', 'ls $x "$y" *', 'no'],
    ['rm:*', 'tar cf a format', 'no'],
    ['rm:*', 'find . -name "rm*" -name *.ts', 'no'],
    ['rm:*', 'node x.js --format', 'no'],
    ['rm:*', 'bash build.sh', 'no'],
    ['rm:*', 'bash --version', 'no'],
    ['rm:*', 'FOO=1 npm test', 'no'],
    ['git push:*', 'git status', 'no'],
    ['git push --force:*', 'git push origin', 'no'],
    ['rm -rf /', 'rm -rf /x', 'no'],
    ['rm:*', '$x', 'ask'],
    ['rm:*', '"$x" y', 'ask'],
    ['rm:*', '$(ls) y', 'ask'],
    ['rm:*', '{rm,x}', 'ask'],
    ['rm:*', '/bin/r* x', 'ask'],
    ['rm:*', 'sudo $x', 'ask'],
    ['rm:*', 'xargs', 'ask'],
    ['rm:*', 'xargs -I{} {} x', 'ask'],
    ['rm:*', 'find . -exec {} \\;', 'ask'],
    ['rm:*', 'find . {-exec,rm,+}', 'ask'],
    ['rm:*', 'find $x', 'ask'],
    ['rm:*', 'sh -c "$x"', 'ask'],
    ['rm:*', 'curl x | sh', 'ask'],
    ['rm:*', 'sh <<X\nrm x\nX', 'ask'],
    ['rm:*', 'bash <<< "rm x"', 'ask'],
    ['rm:*', 'eval "$x"', 'ask'],
    ['rm:*', 'parallel rm', 'ask'],
    ['rm:*', 'strace -f rm x', 'ask'],
    ['rm:*', 'sudo --unknown rm x', 'ask'],
    ['rm:*', 'timeout $t rm x', 'ask'],
    ['rm:*', 'tar -Irm -cf x y', 'ask'],
    ['rm:*', 'tar cf x y --use-comp=rm', 'ask'],
    ['rm:*', 'git bisect run rm x', 'ask'],
    ['rm:*', 'git -c alias.x="!rm y" x', 'ask'],
    ['rm:*', 'npx rm', 'ask'],
    ['rm:*', 'npm exec -- rm x', 'ask'],
    ['rm:*', 'docker run x rm y', 'ask'],
    ['rm:*', 'python -c "import os; os.system(\'rm x\')"', 'ask'],
    ['rm:*', 'awk \'BEGIN{system("rm x")}\'', 'ask'],
    ['rm:*', 'python -c "$x"', 'ask'],
    ['rm:*', `parallel ${'a '.repeat(300)}`, 'ask'],
    ['rm:*', `${'sudo '.repeat(300)} ls`, 'ask'],
    ['rm', 'rm $x', 'ask'],
    ['rm:*', "printf -v 'a[$(rm x)]' y", 'ask'],
    ['rm:*', "test -v 'a[`rm x`]'", 'ask'],
    ['rm:*', "unset 'a[$(rm x)]'", 'ask'],
    ['rm:*', "read 'a[$(rm x)]'", 'ask'],
    ['rm:*', "wait -p 'a[$(rm x)]'", 'ask'],
    ['rm:*', "sed '1e rm x' f", 'ask'],
    ['rm:*', "sed 's/rm/x/' f", 'no'],
    ['rm:*', 'PATH=.:$PATH ls', 'ask'],
    ['rm:*', 'LD_PRELOAD=x ls', 'ask'],
    ['rm:*', 'GIT_SSH_COMMAND=rm git fetch', 'ask'],
    ['rm:*', "PS4='$(rm x)'; set -x; ls", 'ask'],
    ['rm:*', 'ls "', 'ask'],
    ['rm:*', 'ls \u202e', 'ask'],
    ['rm:*', 'echo $((x))', 'ask'],
    ['rm:*', 'f() { ls; }', 'ask'],
    ['rm:*', 'sh -c "ls \'"', 'ask'],
    ['rm -rf:*', 'rm $x', 'ask'],
    ['rm -rf:*', 'rm "$x"', 'ask'],
    ['rm -rf:*', 'rm *', 'ask'],
    ['git push:*', 'git $x', 'ask'],
    ['git push:*', 'xargs git', 'ask'],
    ['git push:*', 'git log $x', 'no'],
  ])('a deny rule %s on %j: %s', async (subject, command, outcome) => {
    expect(await stopped(command, subject)).toBe(outcome);
  });

  test('an ask rule that surely matches is named before a deny rule that only may', async () => {
    const rules = [rule('deny', 'rm -rf:*'), rule('ask', 'rm:*')];
    const { deny, ask } = await verdict('rm $x', rules);
    expect({ deny, ask }).toEqual({ deny: null, ask: { rule: rules[1], reason: null } });
  });

  test('a rule that may be meant asks and says why', async () => {
    const rules = [rule('deny', 'rm:*')];
    const { ask } = await verdict('$x y', rules);
    expect(ask).toEqual({
      rule: rules[0],
      reason: 'Which program "$x y" runs is known only when it runs.',
    });
  });

  test('the first rule of the effect is named', async () => {
    const rules = [rule('deny', 'ls:*'), rule('deny', 'rm:*'), rule('deny', 'rm x')];
    expect((await verdict('rm x', rules)).deny?.rule).toEqual(rules[1]);
  });

  test('an allow of the exact text does not lift a deny', async () => {
    const { deny, allow } = await verdict('rm x', [rule('allow', 'rm x'), rule('deny', 'rm:*')]);
    expect([deny !== null, allow !== null]).toEqual([true, true]);
  });
});
