import { describe, expect, it } from 'vitest';
import { callChange, changeDiff } from '../../../renderer/views/history/call-change.ts';
import { outputEdges } from '../../../renderer/views/history/call-output.ts';
import { unifiedDiff } from '../../../renderer/views/history/unified-diff.ts';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

describe('A long output', () => {
  it('shows its first and last ten lines and says how many are between them', () => {
    const { head, tail, hidden } = outputEdges(`${lines(60)}\n`);
    expect({ first: head.split('\n'), last: tail.split('\n'), hidden }).toEqual({
      first: lines(10).split('\n'),
      last: lines(60).split('\n').slice(50),
      hidden: 40,
    });
  });

  it('is whole where hardly anything would be hidden', () => {
    expect(outputEdges(lines(22))).toEqual({ head: lines(22), tail: '', hidden: 0 });
  });
});

describe('What a call changes', () => {
  it('is a diff of the pieces of an edit, and of the whole file where it is written', () => {
    const edit = callChange('Edit', { file_path: '/a.ts', old_string: 'one\ntwo', new_string: 'one\n2' });
    const write = callChange('Write', { file_path: '/b.ts', content: 'new\n' });
    expect([edit, write].map((change) => (change === null ? null : changeDiff(change, unifiedDiff)))).toEqual(
      [
        '--- /a.ts\n+++ /a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
        '--- /b.ts\n+++ /b.ts\n@@ -0,0 +1,1 @@\n+new\n',
      ],
    );
  });

  it('is nothing for other calls and for input that is not as expected', () => {
    expect([
      callChange('Bash', { command: 'ls' }),
      callChange('Edit', { file_path: '/a', old_string: 'a' }),
      callChange('MultiEdit', {
        file_path: '/a',
        edits: [{ old_string: 'a', new_string: 'b' }, { old_string: 1 }],
      }),
      callChange('Write', 'text'),
    ]).toEqual([null, null, null, null]);
  });
});
