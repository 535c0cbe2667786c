import { describe, expect, it } from 'vitest';
import { answerMeant, mayBeSlip, optionsNamed } from '../../../shared/domain/answer-text.ts';

const options = [{ label: 'Postgres' }, { label: 'SQLite' }, { label: 'Blue cheese' }];

describe('answers to a question with options', () => {
  it.each([
    ['A', false, 'Postgres'],
    ['b', false, 'SQLite'],
    ['2', false, 'SQLite'],
    ['sqlite', false, 'SQLite'],
    ['\uFF22', false, 'SQLite'],
    ['\uFF12', false, 'SQLite'],
    ['something else', false, null],
    ['a b', true, 'Postgres, SQLite'],
    ['1,2', true, 'Postgres, SQLite'],
    ['1\uFF0C2', true, 'Postgres, SQLite'],
    ['9', false, null],
    ['d', false, null],
    ['a d', true, null],
    ['', true, null],
    ['Blue cheese', true, 'Blue cheese'],
    ['blue cheese, A', true, 'Blue cheese, Postgres'],
  ])('%s (several: %s) names %s', (text, multiple, meaning) => {
    expect(optionsNamed({ options, multiple }, text)).toBe(meaning);
  });

  it.each([
    ['D', true],
    ['4', true],
    ['d)', true],
    ['D\u200B', true],
    ['\uFF24', true],
    ['10', true],
    ['a, d', true],
    ['no', true],
    [' ', true],
    ['...', true],
    ['B', false],
    ['Blue cheese', false],
    ['neither', false],
    ['use MySQL', false],
    ['\u90FD\u4E0D\u8981', false],
    ['\u662F', false],
  ])('"%s" may be a slip: %s', (text, slip) => {
    expect(mayBeSlip({ options, multiple: false }, text)).toBe(slip);
  });

  it('are words as they are where there are no options, and never a slip there', () => {
    const asked = { options: [], multiple: false };
    expect([answerMeant(asked, ' A '), mayBeSlip(asked, 'A'), optionsNamed(asked, 'A')]).toEqual([
      ' A ',
      false,
      null,
    ]);
  });
});
