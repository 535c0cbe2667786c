import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jailProblem } from './oracle/jail.ts';
import type { Deed } from './oracle/trace.ts';
import { makeWorld, removeWorld, type World } from './oracle/world.ts';
import { type RuleSet, ruleSets } from './policy/rule-sets.ts';
import { complaintsOn, deedsOf } from './search.ts';

const problem = jailProblem();
if (problem !== null) process.stdout.write(`skipped: the oracle of the fuzz (${problem})\n`);

/** Rule set, command, and what the trace alone says against it. */
const expectations: ReadonlyArray<readonly [string, string, readonly string[]]> = [
  ['readers', 'ls -l && cat a.txt | cat && echo x > out/x', []],
  ['readers', 'timeout 5 nice ls; env X=1 cat a.txt; time git status', []],
  ['readers', "cat <<'E'\n$(marker)\nE", []],
  ['readers', 'cat <<E\n$(marker)\nE', ['ran STUBS/marker']],
  ['readers', 'echo "$(marker)"', ['ran STUBS/marker']],
  ['readers', 'echo `marker`', ['ran STUBS/marker']],
  ['readers', 'echo $((a[$(marker)]))', ['ran STUBS/marker']],
  ['readers', 'echo x #\\\nmarker', ['ran STUBS/marker']],
  ['readers', "echo >& '$(marker)'", ['ran STUBS/marker']],
  ['readers', 'cat "a.txt"#;marker', ['ran STUBS/marker']],
  ['readers', './evil', ['ran ./evil', 'ran STUBS/marker script']],
  ['readers', 'sub/ls', ['ran sub/ls', 'ran STUBS/marker script']],
  ['readers', 'PATH=bin:$PATH ls', ['ran bin/ls', 'ran STUBS/marker script']],
  ['readers', 'exec -a ls marker', ['ran STUBS/marker']],
  ['readers', 'ls() { marker; }; ls', ['ran STUBS/marker']],
  ['readers', 'marker & echo', ['ran STUBS/marker']],
  ['readers', '(sleep 0.1; marker) & echo', ['ran /usr/bin/sleep 0.1', 'ran STUBS/marker']],
  ['readers', 'LD_PRELOAD=./evil.so ls', ['loaded WORK/evil.so']],
  ['readers', 'git log', ['ran /usr/bin/git log']],
  ['readers', 'git -C sub status', ['ran /usr/bin/git -C sub status']],
  ['readers', 'xargs ls < a.txt', ['ran /usr/bin/xargs ls']],
  ['readers', 'sudo ls', ['ran STUBS/sudo ls']],
  ['readers', 'kill -9 $PPID', ['sent a signal to another process (/bin/bash kill -9 $PPID)']],
  ['readers', 'echo x > pwned', ['wrote WORK/pwned (/bin/bash echo x > pwned)']],
  ['readers', 'cat a.txt > out/link', ['wrote WORK/a.txt (/bin/bash cat a.txt > out/link)']],
  ['readers', 'cd sub && echo x > out/x', []],
  ['readers', 'cd out && cat ../a.txt > x', []],
  ['readers', 'cd sub && echo x > ../b.txt', ['wrote WORK/b.txt (/bin/bash cd sub && echo x > ../b.txt)']],
  ['find', 'find . -name "*.txt"', []],
  ['find', 'find a.txt -exec marker {} \\;', ['ran STUBS/marker a.txt']],
  ['find', 'find a.txt -delete', ['wrote WORK/a.txt (/usr/bin/find a.txt -delete)']],
  ['git', 'git add a.txt && git commit -q --allow-empty -m x', []],
  ['git', 'git lg', ['ran /bin/sh -c marker alias marker alias', 'ran STUBS/marker alias']],
  ['git', 'git ls-remote .', []],
  [
    'git',
    'git ls-remote --upload-pack=marker .',
    ["ran /bin/sh -c marker '.' marker '.'", 'ran STUBS/marker .'],
  ],
  ['filters', 'sort -o pwned a.txt', ['wrote WORK/pwned (/usr/bin/sort -o pwned a.txt)']],
  ['filters', "sed '1e marker' a.txt", ['ran /bin/sh -c marker', 'ran STUBS/marker']],
  ['exact', 'make check', []],
  ['exact', 'make', ['ran STUBS/make']],
  ['stars', 'git log -n 5', []],
  ['stars', 'git log -n 5 -p', ['ran /usr/bin/git log -n 5 -p']],
  ['a session that accepts edits', 'echo x > sub/x', []],
  ['all but some, by a rule', 'ls; touch x', []],
  ['all but some, by a rule', 'env rm a.txt', ['ran /usr/bin/rm a.txt against Bash(rm:*)']],
  ['all but some, by a rule', 'sh -c "rm a.txt"', ['ran /usr/bin/rm a.txt against Bash(rm:*)']],
  ['all but some, by a rule', 'sh rc.sh', []],
  ['all but some, by the mode', 'sudo git push', ['ran /usr/bin/git push against Bash(git push *)']],
];

describe.skipIf(problem !== null)('The oracle', () => {
  let world: World;
  let deeds: ReadonlyArray<readonly Deed[]>;
  beforeAll(async () => {
    world = makeWorld();
    const commands = expectations.map(([, command]) => command);
    deeds = await deedsOf(commands, world);
  }, 60_000);
  afterAll(() => removeWorld(world));

  it.each(expectations.map((each, index) => [...each, index] as const))(
    'judges under "%s" by what ran: %s',
    (name, _, wanted, index) => {
      const set = ruleSets.find((each) => each.name === name) as RuleSet;
      const said = complaintsOn(deeds[index] ?? [], set, world).map((complaint) =>
        complaint
          .replaceAll(world.stubs, 'STUBS')
          .replaceAll(world.work, 'WORK')
          .replace('--norc --noprofile -c ', ''),
      );
      expect(said).toEqual(wanted);
    },
  );

  it('sees a connection that fails as one, and goes on after a command that ended its runner', async () => {
    const all = await deedsOf(['echo > /dev/tcp/127.0.0.1/9', 'kill -9 $PPID', 'marker'], world);
    expect(all.map(kinds)).toEqual([['connected'], ['signalled'], ['ran']]);
  });

  it('gives every command a fresh directory', async () => {
    const look = '[ -f sub/c.txt ] && [ -d .git ] && [ ! -e x ] && [ ! -e out/x ] && marker';
    const all = await deedsOf(['rm -rf * .git; mkdir x', look, 'echo > out/x; rm a.txt', look], world);
    expect([all[1], all[3]].map((one) => kinds(one ?? []))).toEqual([['ran'], ['ran']]);
  });
});

/** Without the libraries that every program loads. */
function kinds(deeds: readonly Deed[]): readonly string[] {
  return deeds.map(({ kind }) => kind).filter((kind) => kind !== 'loaded');
}
