import { expect, test } from 'vitest';
import { helpOn } from '../../electron/cli/arguments/help.ts';
import { commandTable } from '../../electron/cli/command-table.ts';
import { textWidth } from '../../electron/cli/output/text-width.ts';
import { wrapLine } from '../../electron/cli/output/wrap.ts';
import { createHarness } from './support/cli-harness.ts';

const topics = ['', ...commandTable.map(({ path }) => path), 'daemon', 'sessions', 'rules'];

function lines(topic: string, columns: number | undefined): string[] {
  return (helpOn(topic, commandTable, { program: 'npx kairos', columns }) ?? '').split('\n');
}

test.each([40, 60, 80, 100])('no help has a line that a terminal of %i columns would break', (columns) => {
  const wide = topics.flatMap((topic) => lines(topic, columns).filter((line) => textWidth(line) > columns));
  // A list of values cannot be broken without changing what is typed.
  expect(wide.filter((line) => /\S \S/.test(line.trim().replace(/^--\S+ /, '')))).toEqual([]);
});

test('help loses no word in a narrow terminal', () => {
  const words = (columns: number | undefined): string[] =>
    topics.flatMap((topic) => lines(topic, columns)).flatMap((line) => line.split(/\s+/).filter(Boolean));
  expect(words(40)).toEqual(words(undefined));
});

test.each([
  ['mode', /MODE +one of: default, acceptEdits, plan, dontAsk, bypassPermissions/],
  ['rules add', /EFFECT +one of: allow, ask, deny/],
  ['rules add', /RULE +a whole tool \(Bash\), or some uses of it: "Bash\(git status:\*\)"/],
  ['answer', /TEXT +letter, number or label of an option/],
])('the help on "%s" names the values it takes', (topic, sentence) => {
  expect(lines(topic, undefined).join('\n')).toMatch(sentence);
});

test('lines are broken at spaces, by columns and not by characters, and long words stay whole', () => {
  expect([
    wrapLine('  one two three', 9, 4),
    wrapLine('see /a/very/long/path here', 10, 2),
    wrapLine('你好 世界 再见', 9),
    wrapLine('short', undefined),
  ]).toEqual(['  one two\n    three', 'see\n  /a/very/long/path\n  here', '你好 世界\n再见', 'short']);
});

test('doctor fits a narrow terminal and counts what should be looked at', async () => {
  const harness = createHarness();
  const { out } = await harness.run(['doctor'], { terminal: true, columns: 40 });
  harness.dispose();
  // oxlint-disable-next-line no-control-regex
  const plain = out.replace(/\u001b\[\d+m/g, '').split('\n');
  expect(plain.filter((line) => line.length > 40 && /\S \S/.test(line.slice(5)))).toEqual([]);
});
