import { expect, test } from 'vitest';
import type { CommandSpec } from '../../electron/cli/arguments/command-spec.ts';
import { nearest } from '../../electron/cli/arguments/nearest.ts';
import { parseCommandLine } from '../../electron/cli/arguments/parse.ts';
import { commandTable } from '../../electron/cli/command-table.ts';
import { CommandFailure } from '../../electron/cli/failure.ts';

/** What a line means, flat: the command with its values, or the sentence it is refused with. */
function meaning(argv: readonly string[], table: readonly CommandSpec[] = commandTable): unknown {
  try {
    const request = parseCommandLine(argv, table);
    if (request.kind !== 'run') return request;
    const { command, args } = request;
    const values = command.options
      .map(({ name, kind }) => {
        if (kind === 'flag') return [name, args.flag(name)];
        if (kind === 'list') return [name, args.list(name).length > 0 && args.list(name)];
        return [name, kind === 'number' ? args.number(name) : args.text(name)];
      })
      .filter(([, value]) => value !== undefined && value !== false);
    return [
      command.path,
      command.positionals.map((_, index) => args.positional(index)),
      Object.fromEntries(values),
    ];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return `${error.exit}: ${error.message} ${error.next}`;
  }
}

test.each<[string[], unknown]>([
  [
    ['send', 'hello', '--wait', '--timeout', '2.5'],
    ['send', ['hello'], { wait: true, timeout: 2.5 }],
  ],
  [
    ['--json', 'send', 'hi', '--session=x'],
    ['send', ['hi'], { session: 'x' }],
  ],
  [
    ['send', '--', '--help'],
    ['send', ['--help'], {}],
  ],
  [
    ['send', '-'],
    ['send', ['-'], {}],
  ],
  [
    ['daemon', 'start', '--json'],
    ['daemon start', [], {}],
  ],
  [
    ['sessions', 'new', '--allow', 'Read', '--allow=Bash(git status)', '--deny', 'Bash', '--sandbox', 'on'],
    ['sessions new', [], { allow: ['Read', 'Bash(git status)'], deny: ['Bash'], sandbox: 'on' }],
  ],
  [['pause'], ['pause', [undefined], {}]],
  [
    ['mode', 'a', 'default'],
    ['mode', ['a', 'default'], {}],
  ],
  [['rules'], ['rules', [], {}]],
  [
    ['rules', 'revoke', 'rul_1'],
    ['rules revoke', ['rul_1'], {}],
  ],
  [[], { kind: 'help', topic: '' }],
  [['--help'], { kind: 'help', topic: '' }],
  [['help', 'daemon', 'start'], { kind: 'help', topic: 'daemon start' }],
  [['daemon', '-h'], { kind: 'help', topic: 'daemon' }],
  [['send', '--help'], { kind: 'help', topic: 'send' }],
  [['--version', '--json'], { kind: 'version', json: true }],
])('the line %j is understood', (argv, expected) => {
  expect(meaning(argv)).toEqual(expected);
});

test.each<[string[], string]>([
  [['sned', 'x'], '2: There is no command "sned". Did you mean "kairos send"?'],
  [['frobnicate'], '2: There is no command "frobnicate". See: kairos --help'],
  [['--frob', 'send'], '2: There is no option --frob. Put options behind the command. See: kairos --help'],
  [['daemon'], '2: "daemon" needs to know what to do. One of: start, run, stop, restart, status, logs'],
  [['daemon', 'strat'], '2: There is no command "daemon strat". Did you mean "kairos daemon start"?'],
  [
    ['daemon', 'install'],
    '2: There is no command "daemon install". One of: start, run, stop, restart, status, logs',
  ],
  [['sessions', 'nwe'], '2: There is no command "sessions nwe". Did you mean "kairos sessions new"?'],
  [['send'], '2: "kairos send" needs TEXT. See: kairos send --help'],
  [['send', 'run', 'ls'], '2: "kairos send" does not expect "ls". Put the text in quotes.'],
  [['send', 'x', '--wiat'], '2: "kairos send" has no option --wiat. Did you mean "--wait"?'],
  [
    ['send', 'x', '-z'],
    '2: "kairos send" has no option -z. When the text begins with "-", put -- before it.',
  ],
  [['send', '-5'], '2: "kairos send" has no option -5. When the text begins with "-", put -- before it.'],
  [['send', 'x', '--session'], '2: --session needs a value. See: kairos send --help'],
  [
    ['send', 'x', '--session', '--wait'],
    '2: --session needs a value. When the value begins with "-", write: --session=--wait',
  ],
  [['send', 'x', '--session='], '2: --session is empty. Give it a value, or leave --session out.'],
  [['send', 'x', '--wait=yes'], '2: --wait takes no value. See: kairos send --help'],
  [
    ['send', 'x', '--timeout', '-5'],
    '2: --timeout needs a number above 0, not "-5". For example: --timeout 30',
  ],
  [
    ['send', 'x', '--timeout', '0'],
    '2: --timeout needs a number above 0, not "0". For example: --timeout 30',
  ],
  [
    ['send', 'x', '--timeout', '1e9'],
    '2: --timeout takes a number of at most 9 digits, written out, not "1e9". For example: --timeout 30',
  ],
  [
    ['logs', '--lines', '99999999999'],
    '2: --lines takes a number of at most 9 digits, written out, not "99999999999". For example: --lines 30',
  ],
  [['export', ''], '2: "kairos export" needs SESSION, and it is empty. See: kairos export --help'],
  [['pause', ' '], '2: "kairos pause" needs SESSION, and it is empty. See: kairos pause --help'],
  [['approve', ''], '2: "kairos approve" needs CODE, and it is empty. See: kairos approve --help'],
  [['rename', 'a', ''], '2: "kairos rename" needs NAME, and it is empty. See: kairos rename --help'],
  [
    ['send', 'x', '--timeout', 'soon'],
    '2: --timeout needs a number above 0, not "soon". For example: --timeout 30',
  ],
  [['send', 'x', '--mode', 'bypass'], '2: --mode cannot be "bypass". Did you mean "bypassPermissions"?'],
  [
    ['mode', 'a', 'off'],
    '2: MODE cannot be "off". One of: default, acceptEdits, plan, dontAsk, bypassPermissions',
  ],
  [
    ['approve', 'abcde', '--scope', 'forever'],
    '2: --scope cannot be "forever". One of: once, session, always',
  ],
  [['rules', 'add', 'alow', 'Bash'], '2: EFFECT cannot be "alow". Did you mean "allow"?'],
])('the line %j is refused with one sentence and what to do', (argv, expected) => {
  expect(meaning(argv)).toBe(expected);
});

test('a word of 300 KB is refused without being compared letter by letter or repeated whole', () => {
  const found = String(meaning(['x'.repeat(300_000)]));
  expect(found.length).toBeLessThan(200);
  expect(nearest('x'.repeat(300_000), ['send'])).toBeUndefined();
});

test('every command has a unique path, a summary that fits a line, and unique options', () => {
  const paths = commandTable.map(({ path }) => path);
  const doubled = commandTable.filter(
    ({ options }) => new Set(options.map(({ name }) => name)).size !== options.length,
  );
  expect([new Set(paths).size, doubled, commandTable.filter(({ summary }) => summary.length > 62)]).toEqual([
    paths.length,
    [],
    [],
  ]);
});
