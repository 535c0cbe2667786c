import fc from 'fast-check';
import { among, choose, join, type Piece } from './pieces.ts';

/** What must not happen unasked, as a command: run a program, write a file, reach the network. */
export const deed: Piece = among(
  'marker',
  './evil',
  'touch pwned',
  'echo x > pwned',
  'rm a.txt',
  'curl http://127.0.0.1:9/',
  'sh -c marker',
  'git push',
  'kill 1',
);
/** The same as one word that a program takes for the name of another one. */
export const deedName: Piece = among('marker', './evil', 'rm');

const plainWord = among('a.txt', 'b.txt', 'sub', '-l', '-n', '--all', 'x', '1', 'beta', 'out/old.txt', '.');
const quotedWord = among(
  "'two words.txt'",
  '"two words.txt"',
  'two\\ words.txt',
  "$'a\\x2etxt'",
  '$"a.txt"',
  "a'.'txt",
  'a\\.txt',
  '""',
  "''",
  "'$(marker)'",
  "'`marker`'",
  '"\\$(marker)"',
  "'> pwned'",
  '"; marker"',
  "'|' ",
  '"a\nb"',
);
const patternWord = among(
  '*.txt',
  '*',
  '-*',
  '--*',
  '?.txt',
  '[ab].txt',
  '{a,b}.txt',
  '{1..3}',
  'su{b,}',
  '~',
  '~/',
  '~+',
  '**',
  '!(a)',
  '@(a|b).txt',
);
const variableWord = among(
  '$HOME',
  '"$PWD"',
  '${X:-a.txt}',
  '$X',
  '"$@"',
  '$?',
  '$$',
  '$0',
  '${#HOME}',
  '$((1+2))',
  '${HOME/h/x}',
  '${!X}',
  '${X@P}',
);

/** A word in which a command runs. */
export const runningWord: Piece = choose(
  [3, join('$(', deed, ')')],
  [3, join('"$(', deed, ')"')],
  [2, join('`', deed, '`')],
  [1, join('"`', deed, '`"')],
  [1, join('<(', deed, ')')],
  [1, join('>(', deed, ')')],
  [1, join('${X:-$(', deed, ')}')],
  [1, join('${X:=`', deed, '`}')],
  [1, join('"${X:+$(', deed, ')}${X:-$(', deed, ')}"')],
  [1, join('$((', 'a[$(', deed, ')]))')],
  [1, join('$[', 'a[$(', deed, ')]]')],
  [1, join('${HOME:$(', deed, ')}')],
  [1, join('${HOME/$(', deed, ')/x}')],
  [1, join('${HOME//[$(', deed, ')]/x}')],
  [1, join('${a[$(', deed, ')]}')],
  [1, join('$(< a.txt; ', deed, ')')],
  [1, join('$(echo $(', deed, '))')],
  [1, join('"$(echo "$(', deed, ')")"')],
  [1, join('{$(', deed, '),b}')],
  [1, join('~$(', deed, ')')],
  [1, join('$(cat <<E\n$(', deed, ')\nE\n)')],
  [1, join('${ ', deed, '; }')],
  [1, join('\\\\$(', deed, ')')],
  [1, join("'a'$(", deed, ")'b'")],
  [1, join('$(#x\n', deed, '\n)')],
  [1, join('$(case x in x) ', deed, ';; esac)')],
  [1, join('"${X-"$(', deed, ')"}"')],
  [1, join("${X:-'$('", '$(', deed, ')}')],
);

/** Letters that look like a space, a hyphen, a letter or nothing. */
export const strange: Piece = among(
  '\u00a0',
  '\u2003',
  '\u3000',
  '\u200b',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u0301',
  'е',
  '－',
  '\r',
  '\v',
  '\f',
  '\x01',
  '\x7f',
  '\ud800',
  "$'\\xff'",
  '；',
  '｜',
  '\u2028',
  '\u0085',
);
const strangeWord = join(among('a', 'ls', '-l', ''), strange, among('b', 'marker', ';marker', ''));

/** An argument with nothing wrong about it. */
export const tameWord: Piece = choose([12, plainWord], [3, quotedWord], [1, patternWord], [1, variableWord]);

/** Any argument. */
export const word: Piece = choose(
  [10, plainWord],
  [4, quotedWord],
  [3, patternWord],
  [3, variableWord],
  [3, runningWord],
  [1, strangeWord],
);

/** A name written so that it reads as something else: quotes, escapes, a variable, braces. */
export function disguised(name: string): Piece {
  const [first = '', rest = ''] = [name.slice(0, 1), name.slice(1)];
  return among(
    `\\${name}`,
    `'${name}'`,
    `"${first}"${rest}`,
    `${first}''${rest}`,
    `${first}\\\n${rest}`,
    `$'\\x${name.charCodeAt(0).toString(16)}'${rest}`,
    `{${name},}`,
    `$(echo ${name})`,
    `\${X:-${name}}`,
    `${first}$X${rest}`,
    `${first}\${X}${rest}`,
    `${first}$@${rest}`,
    `/usr/bin/${name}`,
    `./${name}`,
    `bin/${name}`,
    `[${first}]${rest}`,
    `${first}?${rest.slice(1)}`,
    `"$(printf ${name})"`,
  );
}

/** Never shrinks: the texts stand as they are. */
export function exactly(text: string): Piece {
  return fc.constant(text);
}
