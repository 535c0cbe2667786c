import { describe, expect, test } from 'vitest';
import type { ShellPart, ShellRedirect, ShellWord } from '../../../shared/domain/permissions/shell-facts.ts';
import { parseShell } from '../../../electron/node/shell-syntax/parse-shell.ts';
import type { ShellDialect } from '../../../electron/node/shell-syntax/which-shell.ts';

/** `'literal'`, `*pattern*`, `$dynamic$`, `"dynamic but one word"`. */
function shownWord({ text, kind, single }: ShellWord): string {
  const sign = { literal: "'", pattern: '*', dynamic: single === true ? '"' : '$' }[kind];
  return `${sign}${text}${sign}`;
}

function shownRedirect({ access, target }: ShellRedirect): string {
  return target === null ? access : `${access} ${shownWord(target)}`;
}

function shownPart({ words, assignments, redirects, nested }: ShellPart): string {
  const set = assignments.map(({ name, value }) => `${name}=${value === null ? '' : shownWord(value)}`);
  const to = redirects.map((redirect) => `{${shownRedirect(redirect)}}`);
  return [nested === true ? 'nested' : '', ...set, ...words.map(shownWord), ...to].filter(Boolean).join(' ');
}

/** Parts as lines; then what stands for the whole. */
async function shown(command: string, dialect: ShellDialect = 'bash'): Promise<string[]> {
  const facts = await parseShell(command, dialect);
  if (facts.kind === 'unparsed') return [`unparsed: ${facts.reason}`];
  const whole = facts.redirects.map((redirect) => `whole {${shownRedirect(redirect)}}`);
  return [...facts.parts.map(shownPart), ...whole, ...facts.odd.map((what) => `odd: ${what}`)];
}

type Row = [command: string, shown: string[]];

describe('words', () => {
  test.each<Row>([
    ['ls', ["'ls'"]],
    ['  ls   -l  ', ["'ls' '-l'"]],
    ['ls # a comment', ["'ls'"]],
    ['a\\ b', ["'a b'"]],
    ['"a b"\'c d\'e', ["'a bc de'"]],
    ['r""m', ["'rm'"]],
    ["r''m", ["'rm'"]],
    ['\\rm', ["'rm'"]],
    ['r\\\nm', ["'rm'"]],
    ['"r\\\nm"', ["'rm'", 'odd: text that can be read in two ways']],
    ['ls \\\n  -l', ["'ls' '-l'"]],
    ['echo "a\\$b\\"c\\\\d\\e\\`"', ["'echo' 'a$b\"c\\d\\e`'"]],
    ["echo 'a\\b'", ["'echo' 'a\\b'"]],
    ['echo "\'" \'"\'', ["'echo' ''' '\"'"]],
    ['echo "" \'\'', ["'echo' '' ''"]],
    ["echo $'a\\tb'", ["'echo' 'a\tb'"]],
    ["echo $'\\x72\\155'", ["'echo' 'rm'"]],
    ["$'\\x72m' x", ["'rm' 'x'"]],
    ["echo $'\\xff'", ["'echo' $$'\\xff'$"]],
    ["echo $'a\\0b'", ["'echo' $$'a\\0b'$"]],
    ["echo $'\\u0041'", ["'echo' $$'\\u0041'$"]],
    ["echo $'\\cA'", ["'echo' $$'\\cA'$"]],
    ['echo $"a"', ['\'echo\' "$"a""']],
    ['echo é 漢 "ü 😀"', ["'echo' 'é' '漢' 'ü 😀'"]],
    ['echo é; ls 漢', ["'echo' 'é'", "'ls' '漢'"]],
    ['echo a#b', ["'echo' 'a#b'"]],
    ['echo {} {a a} a,b', ["'echo' '{}' '{a' 'a}' 'a,b'"]],
    ['echo !', ["'echo' '!'"]],
    ['echo a=b', ["'echo' 'a=b'"]],
    ['echo -- -x', ["'echo' '--' '-x'"]],
    ['echo "a\nb"', ["'echo' 'a\nb'"]],
    ['[ a = b ]', ["'[' 'a' '=' 'b' ']'"]],
  ])('%j is read as what the program gets', async (command, expected) => {
    expect(await shown(command)).toEqual(expected);
  });

  test.each<Row>([
    ['ls *', ["'ls' ***"]],
    ['ls a?b', ["'ls' *a?b*"]],
    ['ls [ab]', ["'ls' *[ab]*"]],
    ['ls "*" \\* \'?\'', ["'ls' '*' '*' '?'"]],
    ['ls "a"*', ["'ls' *a**"]],
    ['ls {a,b}', ["'ls' *{a,b}*"]],
    ['ls {1..3}', ["'ls' *{1..3}*"]],
    ['ls "{a,b}" {"a,b"}', ["'ls' '{a,b}' '{a,b}'"]],
    ['ls {"a",b}', ["'ls' *{a,b}*"]],
    ['{rm,-rf,x}', ['*{rm,-rf,x}*']],
    ['ls ~ ~root ~/x', ["'ls' *~* *~root* *~/x*"]],
    ['ls "~" \\~ a~b', ["'ls' '~' '~' 'a~b'"]],
    ['ls a=~/x a:~/y', ["'ls' *a=~/x* *a:~/y*"]],
    ['/b?n/rm x', ["*/b?n/rm* 'x'"]],
    ['ls @(a|b)', ["'ls' $@(a|b)$", 'odd: an extended pattern']],
    ['!(ls)', ['$!(ls)$', 'odd: an extended pattern']],
  ])('%j: what may become other words is a pattern', async (command, expected) => {
    expect(await shown(command)).toEqual(expected);
  });

  test.each<Row>([
    ['$x a', ["$$x$ 'a'"]],
    ['ls $x', ["'ls' $$x$"]],
    ['ls "$x"', ['\'ls\' ""$x""']],
    ['ls "a$x"b', ['\'ls\' $"a$x"b$']],
    ['ls "$@"', ['\'ls\' $"$@"$']],
    ['ls "${a[@]}"', ['\'ls\' $"${a[@]}"$']],
    ['ls ${x}', ["'ls' $${x}$"]],
    ['ls ${x:-a} ${x%b}', ["'ls' $${x:-a}$ $${x%b}$"]],
    ['ls ${#x} ${x[0]} ${x:1:2} ${x/a/b}', ["'ls' $${#x}$ $${x[0]}$ $${x:1:2}$ $${x/a/b}$"]],
    ['ls $((1+2))', ["'ls' $$((1+2))$"]],
  ])('%j: what is known only when it runs is dynamic', async (command, expected) => {
    expect(await shown(command)).toEqual(expected);
  });
});

describe('parts are found wherever they stand', () => {
  test.each<Row>([
    ['a; b\nc & d', ["'a'", "'b'", "'c'", "'d'"]],
    ['a && b || c', ["'a'", "'b'", "'c'"]],
    ['a | b |& c', ["'a'", "'b'", "'c'"]],
    ['! a', ["'a'"]],
    ['time a | b', ["'a'", "'b'"]],
    ['time -p a', ["'a'"]],
    ['(a; b)', ["'a'", "'b'"]],
    ['{ a; b; }', ["'a'", "'b'"]],
    ['if a; then b; elif c; then d; else e; fi', ["'a'", "'b'", "'c'", "'d'", "'e'"]],
    ['while a; do b; done', ["'a'", "'b'"]],
    ['until a; do b; done', ["'a'", "'b'"]],
    ['for x in 1 $(a); do b; done', ["'a'", 'x=', "'b'"]],
    ['for x; do b; done', ['x=', "'b'"]],
    ['for ((;;)); do a; done', ["'a'"]],
    ['case $(a) in $(b)) c;; *) d;& e) f;;& esac', ["'a'", "'b'", "'c'", "'d'", "'f'"]],
    ['[[ -e $(a) && x == $(b) || ! ( y =~ $(c) ) ]]', ["'a'", "'b'", "'c'"]],
    ['echo $(a) `b` "$(c)" "`d`"', ["'a'", "'b'", "'c'", "'d'", '\'echo\' $$(a)$ $`b`$ ""$(c)"" ""`d`""']],
    ['echo $(a $(b))', ["'b'", "'a' $$(b)$", "'echo' $$(a $(b))$"]],
    ['echo <(a)', ["'a'", "'echo' $<(a)$"]],
    ['echo ${x:-$(a)}', ["'a'", "'echo' $${x:-$(a)}$"]],
    ['echo "${x/$(a)/$(b)}"', ["'a'", "'b'", '\'echo\' ""${x/$(a)/$(b)}""']],
    ['x=$(a)', ["'a'", 'x=$$(a)$']],
    ['x=(1 $(a))', ["'a'", 'x=']],
    ['x+=1 y=2 a', ["x='1' y='2' 'a'"]],
    ['a > $(b)', ["'b'", "'a' {write $$(b)$}"]],
    ['a <<< $(b)', ["'b'", "'a' {none}"]],
    ['cat <<X\n$(a)\n`b`\n${x:-$(c)}\nX', ["'a'", "'b'", "'c'", "'cat' {none}"]],
    ["cat <<'X'\n$(a)\nX", ["'cat' {none}"]],
    ['cat <<"X"\n$(a)\nX\nb', ["'cat' {none}", "'b'"]],
    ['cat <<\\X\n$(a)\nX', ["'cat' {none}"]],
    ['cat <<-X\n\ta\n\tX\nb', ["'cat' {none}", "'b'"]],
    ['cat <<X && b\na\nX\nc', ["'cat' {none}", "'b'", "'c'"]],
    ['export A=1', ["'export' 'A=1'"]],
    ['export A=$(a) B', ["'a'", "'export' $A=$(a)$ 'B'"]],
    ['local -r x=1', ["'local' '-r' 'x=1'"]],
  ])('%j', async (command, expected) => {
    expect(await shown(command)).toEqual(expected);
  });

  test.each<Row>([
    ['sh -c "a; b"', ["'sh' '-c' 'a; b'", "nested 'a'", "nested 'b'"]],
    ['bash -lc a', ["'bash' '-lc' 'a'", "nested 'a'"]],
    ['bash -o pipefail -c "a | b"', ["'bash' '-o' 'pipefail' '-c' 'a | b'", "nested 'a'", "nested 'b'"]],
    ['sudo -u x sh -c a', ["'sudo' '-u' 'x' 'sh' '-c' 'a'", "nested 'a'"]],
    ['eval a "b c"', ["'eval' 'a' 'b c'", "nested 'a' 'b' 'c'"]],
    ["env -S 'a b'", ["'env' '-S' 'a b'", "nested 'a' 'b'"]],
    ['env --spl=a', ["'env' '--spl=a'", "nested 'a'"]],
    ['env -vSa', ["'env' '-vSa'", "nested 'a'"]],
    ['trap -- a EXIT', ["'trap' '--' 'a' 'EXIT'", "nested 'a' 'EXIT'"]],
    ['mapfile -C a x', ["'mapfile' '-C' 'a' 'x'", "nested 'a'"]],
    ['sh -c "sh -c a"', ["'sh' '-c' 'sh -c a'", "nested 'sh' '-c' 'a'", "nested 'a'"]],
    ['find . -exec sh -c a \\;', ["'find' '.' '-exec' 'sh' '-c' 'a' ';'", "nested 'a'"]],
    ['su root -c a', ["'su' 'root' '-c' 'a'", "nested 'a'"]],
    ['sh -c "if"', ["'sh' '-c' 'if'", 'odd: a script for a shell that cannot be read']],
    ['sh -c "$x"', ['\'sh\' \'-c\' ""$x""']],
  ])('scripts within: %j', async (command, expected) => {
    expect(await shown(command)).toEqual(expected);
  });

  test.each<Row>([
    ['a >f', ["'a' {write 'f'}"]],
    ['a >>f 2>g', ["'a' {write 'f'} {write 'g'}"]],
    ['a >|f', ["'a' {write 'f'}"]],
    ['a &>f', ["'a' {write 'f'}"]],
    ['a &>>f', ["'a' {write 'f'}"]],
    ['a >&f', ["'a' {write 'f'}"]],
    ['a <>f', ["'a' {write 'f'}"]],
    ['a <f', ["'a' {read 'f'}"]],
    ['a 2>&1 >&2 <&0 2>&- 3>&1-', ["'a' {none} {none} {none} {none} {none}"]],
    ['a >&$x', ["'a' {write $$x$}", 'odd: a target of >& that a shell reads twice']],
    ['>f', ["whole {write 'f'}"]],
    ['>f a', ["'a' {write 'f'}"]],
    ['{ a; } >f', ["'a'", "whole {write 'f'}"]],
    ['(a) >f', ["'a'", "whole {write 'f'}"]],
    ['while a; do b; done <f', ["'a'", "'b'", "whole {read 'f'}"]],
    ['a >*', ["'a' {write ***}"]],
    ['a >"x y"', ["'a' {write 'x y'}"]],
  ])('redirections: %j', async (command, expected) => {
    expect(await shown(command)).toEqual(expected);
  });
});

describe('what no pattern can vouch for', () => {
  test.each<Row>([
    ['f() { a; }', ["'a'", 'odd: a function of its own']],
    ['function f { a; }; f', ["'a'", "'f'", 'odd: a function of its own']],
    ['coproc a', ["'a'", 'odd: a coprocess']],
    ['select x in 1; do a; done', ['x=', "'a'", 'odd: a menu (select)']],
    ['let x=1', ['odd: arithmetic that assigns', 'odd: arithmetic with names or commands']],
    ['((x=1))', ['odd: arithmetic with names or commands']],
    ['echo $((x))', ["'echo' $$((x))$", 'odd: arithmetic with names or commands']],
    ['echo $(($(a)))', ["'a'", "'echo' $$(($(a)))$", 'odd: arithmetic with names or commands']],
    ['for ((i=0;i<1;i++)); do a; done', ["'a'", 'odd: arithmetic with names or commands']],
    ['echo ${x[$(a)]}', ["'echo' $${x[$(a)]}$", 'odd: a computed subscript']],
    ['x[$(a)]=1', ["'a'", "x='1'", 'odd: a computed subscript']],
    ['x[i]=1', ["x='1'", 'odd: a computed subscript']],
    ['echo ${x:y}', ["'echo' $${x:y}$", 'odd: a computed slice']],
    ['echo ${!x}', ["'echo' $${!x}$", 'odd: an indirect parameter']],
    ['echo ${x@P}', ["'echo' $${x@P}$", 'odd: an expansion that assigns or evaluates']],
    ['echo ${x:=a}', ["'echo' $${x:=a}$", 'odd: an expansion that assigns or evaluates']],
    ['[[ -v x ]]', ['odd: a test of a variable by its name']],
    ['[[ $x -eq 1 ]]', ['odd: a comparison of computed numbers']],
    ['[[ a -lt 1 ]]', ['odd: a comparison of computed numbers']],
    ['a >(b)', ["'b'", "'a' $>(b)$", 'odd: a process substitution that is written to']],
    ['a {fd}>f', ["'a' {write 'f'}", 'odd: a named descriptor']],
    ["a >& '$(b)'", ["'a' {write '$(b)'}", 'odd: a target of >& that a shell reads twice']],
    ['a 2>&"x y"', ["'a' {write 'x y'}", 'odd: a target of >& that a shell reads twice']],
    ['a </dev/tcp/h/1', ["'a' {read '/dev/tcp/h/1'}", 'odd: a connection to the network by redirection']],
    ['declare "$x"', ['\'declare\' ""$x""', 'odd: a declaration of a name that is known only when it runs']],
    ["declare 'a[$(b)]=1'", ["'declare' 'a[$(b)]=1'", 'odd: a declaration that evaluates its name']],
    ['time -- a', ["'--' 'a'", 'odd: options of time']],
    [
      'a `b \\`c\\``',
      [
        "'c'",
        "'b' $`c\\`$",
        "'a' $`b \\`c\\``$",
        'odd: nested quotes between backquotes',
        'odd: text that can be read in two ways',
      ],
    ],
    ['cat <<X\nX\\\nY\nX', ["'cat' {none}", 'odd: a here-document with joined lines']],
    ['cat <<X\nY\\\n\nX', ["'cat' {none}", 'odd: a here-document with joined lines']],
    [
      'cat <<X\n${y:-\nX\nmarker\n}\nX',
      ["'cat' {none}", 'odd: a here-document with its delimiter in the middle'],
    ],
    ['echo "a"#|b', ["'echo' 'a'", 'odd: a comment where a word goes on']],
    ["echo 'a'#|b", ["'echo' 'a'", 'odd: a comment where a word goes on']],
    ['echo $(a)#|b', ["'a'", "'echo' $$(a)$", 'odd: a comment where a word goes on']],
    ['echo ${a}#|b', ["'echo' $${a}$", 'odd: a comment where a word goes on']],
    ['cat <<"a"b\nab', ["'cat' {none}", 'odd: a here-document with a strange delimiter']],
    [
      'echo "$(cat <<X\nX)\nX\n)"',
      [
        "'cat' {none}",
        '\'echo\' ""$(cat <<X\nX)\nX\n)""',
        'odd: a here-document in a substitution that shells read differently',
      ],
    ],
    ['echo a #\\\nb', ["'echo' 'a' 'b'", 'odd: a comment that ends in a backslash']],
  ])('%j', async (command, expected) => {
    expect(await shown(command)).toEqual(expected);
  });

  test.each<[string, string]>([
    ['a\rb', 'control characters'],
    ['a\u0001', 'control characters'],
    ['a\u007f', 'control characters'],
    ['a\u0085b', 'control characters'],
    ['a\u00a0b', 'spaces that are none'],
    ['a\u3000b', 'spaces that are none'],
    ['a\u2028b', 'spaces that are none'],
    ['a\u200bb', 'invisible characters'],
    ['a\u202eb', 'invisible characters'],
    ['a\ufeffb', 'invisible characters'],
    ['a\u2066b', 'invisible characters'],
    ['a\u00adb', 'invisible characters'],
    ['a\u3164b', 'invisible characters'],
    ['a\ud800', 'no text'],
    [`echo ${'x'.repeat(70_000)}`, 'longer than 64 KB'],
    ['('.repeat(5_000), 'nested too much'],
    [`${'$('.repeat(1_500)}a${')'.repeat(1_500)}`, 'nested too deep'],
    [`echo ${'$(echo '.repeat(70)}a${')'.repeat(70)}`, 'nested too deep'],
    ['a;'.repeat(3_000), 'too many words'],
    ['echo "a', 'cannot be read'],
    ["echo 'a", 'cannot be read'],
    ['echo $(a', 'cannot be read'],
    ['echo `a', 'cannot be read'],
    ['cat <<X\na', 'cannot be read'],
    ['if a', 'cannot be read'],
    ['a |', 'cannot be read'],
    ['a && ', 'cannot be read'],
    ['}', 'cannot be read'],
    ['((a) && (b))', 'cannot be read'],
    ['((a) )', 'cannot be read'],
    ['echo ${ a; }', 'cannot be read'],
    ['a ;; b', 'cannot be read'],
  ])('%j is not parsed: %s', async (command, reason) => {
    expect(await parseShell(command, 'bash')).toEqual({
      kind: 'unparsed',
      reason: expect.stringContaining(reason),
    });
  });
});

describe('other shells', () => {
  test.each<Row>([
    ['ls -l | grep "a b" > f 2>&1', ["'ls' '-l'", "'grep' 'a b' {write 'f'} {none}"]],
    ['if a; then b $(c); fi', ["'a'", "'c'", "'b' $$(c)$"]],
  ])('without bash %j is read as every shell reads it', async (command, expected) => {
    expect(await shown(command, 'sh')).toEqual(expected);
  });

  test.each([
    'a &>f',
    "echo $'a'",
    '[[ a ]]',
    'a <(b)',
    'a <<< b',
    'x=(a)',
    'a |& b',
    'ls {a,b}',
    'time a',
    'x+=1',
    'function f { a; }',
    '((1))',
  ])('without bash %j means something else', async (command) => {
    expect((await parseShell(command, 'sh')).kind).toBe('unparsed');
  });

  test.each<[string, string]>([
    ['echo $(case a in a) b;; esac)', 'a case in a substitution'],
    ["echo $(cat <<'X'\nsmile :)\nX\n)", 'a here-document in a substitution that shells read differently'],
    ["echo $(a # it's\n)", 'a comment in a substitution'],
  ])('bash 3.2 may read %j differently', async (command, odd) => {
    expect(await shown(command, 'old-bash')).toContain(`odd: ${odd}`);
    expect((await shown(command, 'bash')).filter((line) => line.startsWith('odd'))).toEqual([]);
  });
});

test('a text that overflows the parser leaves it usable', async () => {
  await parseShell(`${'$('.repeat(1_500)}a${')'.repeat(1_500)}`, 'bash');
  expect(await shown('ls -l')).toEqual(["'ls' '-l'"]);
});
