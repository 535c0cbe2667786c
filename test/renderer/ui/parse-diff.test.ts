import { describe, expect, it } from 'vitest';
import { isUnifiedDiff, parseDiff, splitRows } from '../../../renderer/ui/diff/parse-diff.ts';

const two = `Edits pay.ts
--- a/pay.ts
+++ b/pay.ts
@@ -10,3 +10,4 @@ function pay
 same
-old
+new
+more
 end
--- /dev/null
+++ b/new.ts
@@ -0,0 +1,1 @@
+-- dashes
\\ No newline at end of file
`;

describe('A unified diff', () => {
  it('gives paths, line numbers and signs, and loses no line', () => {
    const { intro, files } = parseDiff(two);
    const flat = files.map(({ path, hunks }) => [
      path,
      hunks.flat().map(({ kind, before, after, text }) => `${kind} ${before ?? ''}:${after ?? ''} ${text}`),
    ]);
    expect({ intro, flat }).toEqual({
      intro: ['Edits pay.ts'],
      flat: [
        [
          'pay.ts',
          [
            'note : function pay',
            'same 10:10 same',
            'removed 11: old',
            'added :11 new',
            'added :12 more',
            'same 12:13 end',
          ],
        ],
        ['new.ts', ['added :1 -- dashes', 'note : \\ No newline at end of file']],
      ],
    });
  });

  it('names both paths of a file that moved', () => {
    const [file] = parseDiff('--- old.ts\n+++ new.ts\n@@ -1 +1 @@\n-a\n+b\n').files;
    expect(file?.path).toBe('old.ts → new.ts');
  });

  it('is told apart from other text', () => {
    expect([isUnifiedDiff(two), isUnifiedDiff('- a list\n+ of things'), isUnifiedDiff('')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('stands side by side with removed lines beside those that replace them', () => {
    const [file] = parseDiff(two).files;
    const rows = splitRows(file?.hunks[0] ?? []);
    expect(rows.map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
      ['function pay', 'function pay'],
      ['same', 'same'],
      ['old', 'new'],
      [null, 'more'],
      ['end', 'end'],
    ]);
  });
});
