import { describe, expect, test } from 'vitest';
import { rule, verdict } from './support/shell-verdicts.ts';

/** `deny`, `ask` (it may be meant), or `no`. */
async function stopped(command: string, subject: string): Promise<string> {
  const { deny, ask } = await verdict(command, [rule('deny', subject)]);
  return deny !== null ? 'deny' : ask !== null ? 'ask' : 'no';
}

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
    ['rm:*', 'alias ls=rm', 'deny'],
    ['rm:*', "shopt -s expand_aliases\nalias -- a=b ls='rm x'\nls", 'deny'],
    ['rm:*', 'alias ls=$X', 'ask'],
    ['rm:*', 'alias', 'no'],
    ['rm:*', 'source <(echo rm x)', 'ask'],
    ['rm:*', '. -- $X', 'ask'],
    ['rm:*', '. /dev/stdin <<< "rm x"', 'ask'],
    ['rm:*', 'bash /dev/fd/0 <<< "rm x"', 'ask'],
    ['rm:*', 'source ./lib.sh', 'no'],
    ['rm:*', 'chronic rm x', 'ask'],
    ['rm:*', 'prlimit --nofile=9 rm x', 'ask'],
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
