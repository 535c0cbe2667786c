import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitInlineCode } from '../../../renderer/ui/split-inline-code.ts';

test.each([
  ['words alone', ['words alone']],
  ['try `npm test` now', ['try ', ['npm test'], ' now']],
  ['`a` and `b`', [['a'], ' and ', ['b']]],
  ['``a ` b`` c', [['a ` b'], ' c']],
  ['`` `a` ``', [['`a`']]],
  ['one ` alone', ['one ` alone']],
  ['`never\nclosed` here', ['`never\nclosed` here']],
  ['``` and `x`', ['``` and ', ['x']]],
  ['`` two ` one', ['`` two ` one']],
  ['``', ['``']],
  ['` `', [[' ']]],
  ['<b>`<i>`</b>', ['<b>', ['<i>'], '</b>']],
  ['', []],
])('%j is split into pieces.', (text, expected) => {
  const pieces = expected.map((piece) =>
    typeof piece === 'string' ? { kind: 'words', text: piece } : { kind: 'code', text: piece[0] },
  );
  expect(splitInlineCode(text)).toEqual(pieces);
});

test('Nothing but backticks and the spaces beside them is lost, whatever the text is.', () => {
  const text = fc.string({ unit: fc.constantFrom('`', '`', ' ', 'a', '\n', '<', '你') });
  const bare = (given: string): string => given.replaceAll(/[` ]/g, '');
  fc.assert(
    fc.property(text, (given) => {
      const joined = splitInlineCode(given)
        .map((piece) => piece.text)
        .join('');
      expect(bare(joined)).toBe(bare(given));
    }),
  );
});

test('A long text of backticks is split at once.', () => {
  const begun = performance.now();
  splitInlineCode('`a ``b '.repeat(20_000));
  splitInlineCode('`'.repeat(100_000));
  splitInlineCode('` '.repeat(50_001));
  expect(performance.now() - begun).toBeLessThan(2_000);
});
