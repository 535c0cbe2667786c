import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitFences } from '../../../renderer/ui/split-fences.ts';

test.each([
  ['words alone', [{ kind: 'words', text: 'words alone' }]],
  [
    'a\n```ts\nlet x;\n```\nb',
    [
      { kind: 'words', text: 'a' },
      { kind: 'code', text: 'let x;', language: 'ts' },
      { kind: 'words', text: 'b' },
    ],
  ],
  ['```\nnever closed', [{ kind: 'code', text: 'never closed', language: '' }]],
  ['```\n\n```', [{ kind: 'code', text: '', language: '' }]],
  ['`one` ```two``` three', [{ kind: 'words', text: '`one` ```two``` three' }]],
  ['', []],
])('%j is split into pieces.', (text, pieces) => {
  expect(splitFences(text)).toEqual(pieces);
});

test('No line between fences is lost or changed, whatever it holds.', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\n\r]|```/.test(text));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      expect(splitFences(['```', ...lines, '```'].join('\n'))).toEqual([
        { kind: 'code', text: lines.join('\n'), language: '' },
      ]);
    }),
  );
});
