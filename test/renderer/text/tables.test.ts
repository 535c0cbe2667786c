import { describe, expect, test } from 'vitest';
import { english } from '../../../renderer/text/en.ts';
import { textFor } from '../../../renderer/text/language.ts';
import { agoText, durationText, moneyText, untilText } from '../../../renderer/text/time-text.ts';
import { chinese } from '../../../renderer/text/zh.ts';

/** What every function of a table can be called with: each takes strings, numbers or one object with these members. */
const sample = Object.assign(Object.create(null), {
  kind: 'other',
  name: '手机',
  seconds: '1',
  calls: 2,
  cost: '1',
  tokens: 3,
  toString: () => '7',
});

/** Every text of a table with its path; functions are called once. */
function texts(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function')
    return texts((value as (...args: unknown[]) => unknown)(sample, sample, sample), path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => texts(member, `${path}.${key}`));
}

/** Names, commands, keys and units are the same in every language. */
const same =
  /^\.(language|app|history\.kairos|link\.(open|start)Command|help\.rows\.\d+\.0|prompt\.(who|ended|decided))$/;

describe('The tables of texts', () => {
  test('say the same things.', () => {
    const paths = (table: unknown): string[] => texts(table, '').map(([path]) => path);
    expect(paths(chinese)).toEqual(paths(english));
  });

  test('leave nothing empty.', () => {
    expect([...texts(english, ''), ...texts(chinese, '')].filter(([, text]) => text.trim() === '')).toEqual(
      [],
    );
  });

  test('have Chinese in every Chinese text.', () => {
    expect(
      texts(chinese, '').filter(([path, text]) => !same.test(path) && !/\p{Script=Han}/u.test(text)),
    ).toEqual([]);
  });

  test.each([
    ['zh-CN', 'zh'],
    ['zh', 'zh'],
    ['zh-Hant-TW', 'zh'],
    ['en-US', 'en'],
    ['de', 'en'],
    ['zhx', 'en'],
  ])('are chosen by the language %s: %s.', (tag, language) => {
    expect(textFor(tag).language).toBe(language);
  });
});

describe('Times and money', () => {
  const hour = 3_600_000;
  test('are relative under a day, and a date from then on.', () => {
    const now = Date.UTC(2026, 10, 30, 12);
    expect(
      [now - 59_000, now - 60_000, now - hour, now - 23 * hour, now - 24 * hour].map((then) =>
        agoText(english, then, now),
      ),
    ).toEqual(['now', '1 min', '1 h', '23 h', '29 Nov 2026']);
  });

  test('say what is left in whole hours or minutes, at least one.', () => {
    expect([0, 59_000, 119_000, hour, 24 * hour - 1].map((left) => untilText(english, left, 0))).toEqual([
      '1 min',
      '1 min',
      '1 min',
      '1 h',
      '23 h',
    ]);
  });

  test('show seconds, from a minute on minutes too, and cents without hiding a fraction.', () => {
    expect({
      durations: [
        [400, true],
        [9_960, true],
        [61_000, false],
      ].map(([ms, exact]) => durationText(english, ms as number, exact as boolean)),
      money: [0, 1, 10_000, 610_000, 5_000_000].map(moneyText),
    }).toEqual({
      durations: ['0.4 s', '10.0 s', '1 min 1 s'],
      money: ['$0', '<$0.01', '$0.01', '$0.61', '$5'],
    });
  });
});
