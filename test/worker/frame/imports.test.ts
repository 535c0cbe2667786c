import { expect, test } from 'vitest';
import { importsOf } from '../../../electron/worker/frame/imports.ts';

test.each([
  ['See @docs/style.md and @README.md.', ['docs/style.md', 'README.md']],
  ['@~/notes/mine.md\n@./a.md\n@../b.md (@c.md)', ['~/notes/mine.md', './a.md', '../b.md', 'c.md']],
  ['twice: @a.md @a.md', ['a.md']],
  ['mail me@example.org, thanks @alice!', ['alice']],
  ['in a span `@a.md` and ``x `@b.md` y``, outside @c.md', ['c.md']],
  ['```\n@a.md\n```\n@b.md', ['b.md']],
  ['~~~md\n```\n@a.md\n~~~\n@b.md', ['b.md']],
  ['```\nnever closed @a.md', []],
  ['@ alone, @/ and @. and @~', []],
  ['', []],
])('%j imports %j', (text, paths) => {
  expect(importsOf(text)).toEqual(paths);
});

test.each([
  ['one run of backticks', `@a.md ${'`'.repeat(160_000)}`],
  ['one run of tildes', `@a.md\n${'~'.repeat(160_000)}`],
  ['runs of every length', `@a.md ${Array.from({ length: 400 }, (_, at) => '`'.repeat(at + 1)).join(' ')}`],
  ['a path of dots', `@a.md @b${'.'.repeat(160_000)}x`],
])(
  'A file that is %s is read in a moment.',
  (_name, text) => {
    expect(importsOf(text)[0]).toBe('a.md');
  },
  2_000,
);
