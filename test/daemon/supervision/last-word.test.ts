import { expect, it } from 'vitest';
import { lastWord } from '../../../electron/daemon/supervision/last-word.ts';

it.each([
  ['nothing', '', ''],
  ['blank lines', '\n  \n', ''],
  ['a single line', 'Killed\n', 'Killed'],
  ['the last line when none names an error', 'one\ntwo\n\n', 'two'],
  [
    'the error above its stack and above Node\u2019s own version',
    [
      'file:///app/worker.js:1',
      'import x from "gone";',
      '       ^^^^',
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'gone'",
      '    at finalizeResolution (node:internal/modules/esm/resolve:275:11) {',
      "  code: 'ERR_MODULE_NOT_FOUND'",
      '}',
      '',
      'Node.js v24.22.3',
    ].join('\n'),
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'gone'",
  ],
  [
    'the last error of several',
    'TypeError: first\n    at a\nRangeError: second\n    at b',
    'RangeError: second',
  ],
  [
    'the report of a worker',
    'noise\n{"event":"uncaught","stack":"Error: boom"}\n',
    '{"event":"uncaught","stack":"Error: boom"}',
  ],
])('of %s is what explains the death', (_what, stderr, word) => {
  expect(lastWord(stderr)).toBe(word);
});

it('is at most 300 characters long', () => {
  expect(lastWord(`Error: ${'x'.repeat(1_000)}`)).toHaveLength(300);
});
