import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine, visibleText } from '../../../shared/base/visible-text.ts';

describe('visible text', () => {
  it.each([
    ['a right-to-left override', 'rm \u202Efdp.exe', 'rm <U+202E>fdp.exe'],
    ['a zero-width space', 'a\u200Bb', 'a<U+200B>b'],
    ['a zero-width joiner', 'a\u200Db', 'a<U+200D>b'],
    ['a byte order mark', '\uFEFFls', '<U+FEFF>ls'],
    ['an escape sequence', '\u001B[31mred', '<U+001B>[31mred'],
    ['a backspace', 'rm\b\bls', 'rm<U+0008><U+0008>ls'],
    ['a carriage return', 'echo ok\rrm -rf /', 'echo ok<U+000D>rm -rf /'],
    ['a soft hyphen', 'a\u00ADb', 'a<U+00AD>b'],
    ['a tag character', 'a\u{E0041}b', 'a<U+E0041>b'],
    ['a line separator', 'a\u2028b', 'a<U+2028>b'],
    ['a Hangul filler', 'a\u3164b', 'a<U+3164>b'],
    ['an isolate', '\u2066a\u2069', '<U+2066>a<U+2069>'],
    ['a C1 control', 'a\u009Bb', 'a<U+009B>b'],
  ])('shows %s', (_title, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each(['plain', 'two\nlines\twith a tab', '中文 한국어 العربية', 'emoji 🙂', ''])(
    'leaves %j as it is',
    (text) => {
      expect(visibleText(text)).toBe(text);
    },
  );

  it('hides nothing: what it gives has no invisible character and changes no more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visibleText(text);
        expect([...shown].filter((char) => /\p{Cc}|\p{Cf}/u.test(char) && !'\n\t'.includes(char))).toEqual(
          [],
        );
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });
});

describe('one line', () => {
  it.each([
    ['a  b\n c', 80, 'a b c'],
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['🙂🙂🙂', 2, '🙂…'],
    ['   ', 5, ''],
    ['a\u202Eb', 20, 'a<U+202E>b'],
  ])('of %j in %i characters', (text, limit, line) => {
    expect(oneLine(text, limit)).toBe(line);
  });
});
