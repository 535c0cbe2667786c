import { expect, test } from 'vitest';
import { painter } from '../../electron/cli/output/paint.ts';
import { foreignLine, foreignText, printable } from '../../electron/cli/output/foreign-text.ts';
import { promptText } from '../../electron/cli/output/prompt-text.ts';
import { sessionTable } from '../../electron/cli/output/session-text.ts';
import { table } from '../../electron/cli/output/table.ts';
import { streamOutput } from '../../electron/cli/output/stream-output.ts';
import { fitWidth, padWidth, textWidth } from '../../electron/cli/output/text-width.ts';
import { isoTime, relativeTime } from '../../electron/cli/output/times.ts';
import type { TextOutput } from '../../electron/cli/context.ts';
import { samplePrompt, sampleSession, sampleTime } from './support/samples.ts';

const plain = (_tone: unknown, text: string): string => text;

function output(isTerminal: boolean): TextOutput {
  return { isTerminal, columns: undefined, closed: false, write: () => Promise.resolve() };
}

test.each([
  ['abc', 3],
  ['中文', 4],
  ['ｱ', 1],
  ['한국', 4],
  ['é', 1],
  ['🚀', 2],
  ['a\u200Bb', 2],
])('the width of %j is %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test('cutting and padding count columns, and never half of a wide character', () => {
  expect([
    fitWidth('支付系统', 5),
    fitWidth('支付', 4),
    fitWidth('abcdef', 3),
    fitWidth('ab', 0),
    padWidth('支', 4),
  ]).toEqual(['支付…', '支付', 'ab…', '', '支  ']);
});

test('a table lines up with Chinese names and is cut to the terminal', () => {
  const rows = [
    [{ text: '支付' }, { text: 'Working' }, { text: '/home/someone/a/very/long/path' }],
    [{ text: 'x' }, { text: 'Asleep' }, { text: '/b' }],
  ];
  expect([table(rows, undefined), table(rows, 30)]).toEqual([
    '支付  Working  /home/someone/a/very/long/path\nx     Asleep   /b\n',
    '支付  Working  /home/someone/…\nx     Asleep   /b\n',
  ]);
});

test('what must stay whole does so in a narrow terminal, and what goes on does not lose a word', () => {
  const id = 'rul_01JD0000000000000000000000';
  const rows = [
    [
      { text: 'deny' },
      { text: 'Bash(git push --force:*)', fit: 'wrap' as const },
      { text: 'only in payments', fit: 'wrap' as const },
      { text: id, fit: 'whole' as const },
    ],
  ];
  expect([table(rows, 60), table(rows, 40), table(rows, 20)].map((text) => text.split('\n'))).toEqual([
    [`deny  Bash(git  only in       ${id}`, '      push      payments', '      --force:', '      *)', ''],
    ['deny  Bash(git push     only in payments', '      --force:*)', `  ${id}`, ''],
    ['deny  Bash(git  only in', '      push      payments', '      --force:', '      *)', `  ${id}`, ''],
  ]);
});

test('why a session stopped is shown to its end, where the cure stands', () => {
  const reason =
    "today's limit of $5.00 would be passed (spent $4.98). Raise it with kairos usage raise, then take it up again with kairos retry.";
  const stopped = sampleSession({ state: 'parked', parked: { code: 'budget', reason, at: sampleTime } });
  const at = (columns: number) => sessionTable([{ archived: false, ...stopped }], sampleTime, plain, columns);
  expect([at(100), at(40)].map((text) => text.trimEnd().split('\n').slice(1))).toEqual([
    [
      "payments  Stopped: today's limit of $5.00 would be passed (spent $4.98). Raise   now       /shop",
      '          it with kairos usage raise, then take it up again with kairos retry.',
    ],
    [
      'payments  Stopped  now       /shop',
      "payments stopped: today's limit of $5.00",
      '  would be passed (spent $4.98). Raise',
      '  it with kairos usage raise, then take',
      '  it up again with kairos retry.',
    ],
  ]);
});

test.each([
  [sampleTime, 'now'],
  [sampleTime - 12_000, '12 s ago'],
  [sampleTime - 240_000, '4 min ago'],
  [sampleTime - 23 * 3_600_000, '23 h ago'],
  [sampleTime + 3 * 3_600_000, 'in 3 h'],
])('times under a day are relative', (at, words) => {
  expect(relativeTime(at, sampleTime)).toBe(words);
});

test('times from a day on are dates, and times outside the calendar are nothing', () => {
  expect([relativeTime(0, sampleTime), isoTime(sampleTime), isoTime(Number.MAX_VALUE)]).toEqual([
    expect.stringMatching(/^19(69|70)-/),
    '2026-11-30T08:00:00.000Z',
    '',
  ]);
});

test('a prompt is shown whole, with what cannot be seen made visible, and with the commands that answer it', () => {
  const prompt = samplePrompt({ preview: 'echo a\necho \u202Eb' });
  expect(promptText(prompt, sampleTime, plain, { program: 'kairos' })).toBe(
    [
      'Needs you: Bash: git push --force',
      '  payments in /shop, asked now, expires 2026-12-01',
      '  Kairos says: sync the branch',
      '    echo a',
      '    echo <U+202E>b',
      '  "session" and "always" would keep the rule: Bash(git push:*)',
      '  Answer with: kairos approve abcde   or   kairos deny abcde',
      '',
    ].join('\n'),
  );
});

test('what Kairos asks about every time says so instead of a rule', () => {
  const text = promptText(samplePrompt({ rule: null }), sampleTime, plain, { program: 'kairos' });
  expect(text.split('\n').at(-3)).toBe('  Can be allowed once only: Kairos asks about this every time.');
});

test('a prompt says why it asks, and why nothing is kept of it', () => {
  const reason =
    'rule (settings) Bash(git push*--force*): It may be what this rule denies. "sh" runs a script';
  const texts = [reason, 'mode default'].map((each) =>
    promptText(samplePrompt({ rule: null, reason: each }), sampleTime, plain, { program: 'kairos' }),
  );
  expect(texts.map((text) => text.split('\n').filter((line) => /Asks because|once only/.test(line)))).toEqual(
    [
      [`  Asks because: ${reason}.`, '  Can be allowed once only: Kairos asks about this every time.'],
      ['  Asks because: mode default.', '  Can be allowed once only: no rule is kept for a call like this.'],
    ],
  );
});

test('what contains a secret says so instead of a rule', () => {
  const secret = samplePrompt({ rule: null, preview: 'TOKEN=[masked] run' });
  const text = promptText(secret, sampleTime, plain, { program: 'kairos' });
  expect(text.split('\n').at(-3)).toBe(
    '  Can be allowed once only: it contains what looks like a secret, and a rule would keep that.',
  );
});

test('a question is shown with lettered options', () => {
  const question = samplePrompt({
    kind: 'question',
    headline: 'Which one?',
    description: '',
    preview: 'Which one?',
    rule: null,
    options: [{ label: 'Red', description: 'warm' }, { label: 'Blue' }],
    expiresAt: sampleTime + 3_600_000,
  });
  expect(promptText(question, sampleTime, plain, { program: 'npx kairos' }).split('\n').slice(1)).toEqual([
    '  payments in /shop, asked now, expires in 1 h',
    '    Which one?',
    '    A) Red: warm',
    '    B) Blue',
    '  Answer with: npx kairos answer abcde A   or   npx kairos answer abcde "in your own words"',
    '',
  ]);
});

test('sessions are listed with what asks first, then what stopped, what works, and the rest by activity', () => {
  const sessions = [
    { ...sampleSession({ name: 'gone', lastActivity: sampleTime + 1 }), archived: true },
    sampleSession({ name: 'old', lastActivity: sampleTime - 60_000 }),
    sampleSession({ name: 'daily', nextWakeAt: sampleTime }),
    sampleSession({ name: 'ci', state: 'working', doing: 'Bash', pid: 7 }),
    sampleSession({
      name: 'broken',
      state: 'parked',
      parked: { code: 'x', reason: 'no key', at: sampleTime },
    }),
    sampleSession({ name: null, state: 'asking', openPrompts: 2 }),
  ];
  const lines = sessionTable(
    sessions.map((session) => ({ archived: false, ...session })),
    sampleTime,
    plain,
    undefined,
  ).split('\n');
  expect(lines.map((line) => line.replace(/ {2,}/g, ' | ').replace(/\d\d:\d\d/, 'hh:mm'))).toEqual([
    'Session | State | Activity | Directory',
    'ses_1 | Needs you (2) | now | /shop',
    'broken | Stopped: no key | now | /shop',
    'ci | Working: Bash | now | /shop',
    'daily | Asleep. Next: hh:mm | now | /shop',
    'old | Asleep | 1 min ago | /shop',
    'gone | Archived | now | /shop',
    '',
  ]);
});

test.each([
  [0, 'Idle'],
  [1, '1 background task running'],
  [2, '2 background tasks running'],
])('an idle session with %i background tasks says so', (background, words) => {
  const session = { archived: false, ...sampleSession({ state: 'idle', background }) };
  expect(sessionTable([session], sampleTime, plain, undefined)).toContain(words);
});

test('a terminal that does not know its size limits no line', () => {
  const columnsOf = (columns: number, isTTY: boolean) =>
    streamOutput({ isTTY, columns, on: () => undefined } as unknown as NodeJS.WriteStream).columns;
  expect([columnsOf(0, true), columnsOf(40, true), columnsOf(40, false)]).toEqual([undefined, 40, undefined]);
});

test('colour needs a terminal and is left out for NO_COLOR and dumb terminals', () => {
  const shown = (terminal: boolean, env: Record<string, string>): boolean =>
    painter(output(terminal), env)('bad', 'x') !== 'x';
  expect([
    shown(true, {}),
    shown(true, { NO_COLOR: '1' }),
    shown(true, { TERM: 'dumb' }),
    shown(false, {}),
  ]).toEqual([true, false, false, false]);
});

test('a model cannot steer the terminal, and a file gets its text unchanged', () => {
  const text = 'a\u001b[2Jb\tc\n👩‍💻';
  expect([foreignText(text, output(true)), foreignText(text, output(false))]).toEqual([
    'a<U+001B>[2Jb\tc\n👩‍💻',
    text,
  ]);
});

test('one-line pieces show every invisible character, and nothing printed keeps more than line ends and our colours', () => {
  const text = 'a\u202eb\u200bc\nd\te\u009b1m';
  expect([foreignLine(text), printable('\u001b[31mred\u001b[39m\u001b[2J\n')]).toEqual([
    'a<U+202E>b<U+200B>c<U+000A>d<U+0009>e<U+009B>1m',
    '\u001b[31mred\u001b[39m<U+001B>[2J\n',
  ]);
  expect(foreignText('👩‍💻 a\u200db ❤️', output(true))).toBe('👩‍💻 a<U+200D>b ❤️');
});
