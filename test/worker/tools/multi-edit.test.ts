import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const put = (content: string): string => {
  const path = join(bench.dir, 'a.txt');
  writeFileSync(path, content);
  return path;
};
const text = (): string => readFileSync(join(bench.dir, 'a.txt'), 'utf8');
const edit = (old_string: string, new_string: string, more: object = {}) => ({
  old_string,
  new_string,
  ...more,
});
const multi = (...edits: object[]) => ({ file_path: 'a.txt', edits });

describe('MultiEdit', () => {
  test('makes its edits one after the other; a person sees them as one diff of the file as it is', async () => {
    const path = put('one\ntwo\ntwo\n');
    const input = multi(edit('one', 'ein'), edit('two', 'zwei', { replace_all: true }), edit('ein', 'eins'));
    const { facts } = await bench.prepare('MultiEdit', input);
    expect(facts).toEqual({
      tool: 'MultiEdit',
      input,
      class: 'blind',
      access: 'write',
      cwd: bench.dir,
      subject: path,
      paths: [path],
      preimages: [{ path, sha256: createHash('sha256').update('one\ntwo\ntwo\n').digest('hex') }],
      preview: `--- ${path}\n+++ ${path}\n@@ -1,3 +1,3 @@\n-one\n-two\n-two\n+eins\n+zwei\n+zwei\n`,
      description: '',
    });
    expect([facts && (await bench.run(facts)), text()]).toEqual([
      { outcome: 'ok', output: `Changed ${path}.` },
      'eins\nzwei\nzwei\n',
    ]);
  });

  test('makes none when one of them cannot be made, and says which', async () => {
    const path = put('a b b\n');
    const said = async (...edits: object[]) => (await bench.prepare('MultiEdit', multi(...edits))).message;
    expect([
      await said(edit('a', 'x'), edit('b', 'y')),
      await said(edit('a', 'x'), edit('a', 'y'), edit('b b', 'c')),
      await said(edit('missing', 'x')),
      await said(edit('a', 'x'), edit('x', 'a')),
      await said(),
      await said({ old_string: 'a' }),
      (await bench.prepare('MultiEdit', { ...multi(edit('a', 'b')), file_path: 'none.txt' })).message,
      text(),
    ]).toEqual([
      `MultiEdit: "${path}" contains old_string 2 times: give more of the text around it, or set replace_all (edit 2 of 2; none was made)`,
      `MultiEdit: "${path}" does not contain old_string; read the file again and copy it exactly (edit 2 of 3; none was made)`,
      `MultiEdit: "${path}" does not contain old_string; read the file again and copy it exactly`,
      `MultiEdit: "${path}" would not change: the edits undo each other`,
      expect.stringContaining('"edits" must not be less than 1'),
      expect.stringContaining('"edits.0.new_string" must be of type string'),
      `MultiEdit: "${join(bench.dir, 'none.txt')}" does not exist`,
      'a b b\n',
    ]);
  });

  test('leaves a file alone that changed after it was shown', async () => {
    const path = put('one\n');
    const { facts } = await bench.prepare('MultiEdit', multi(edit('one', 'two')));
    writeFileSync(path, 'one\nmore\n');
    expect([facts && (await bench.run(facts)), text()]).toEqual([
      { outcome: 'error', output: `"${path}" changed since it was approved; read it again.` },
      'one\nmore\n',
    ]);
  });

  test('is told before memory is full that its edits make a text larger and larger', async () => {
    put('a');
    const doubling = Array.from({ length: 40 }, () => edit('a', 'aa', { replace_all: true }));
    const { message } = await bench.prepare('MultiEdit', multi(...doubling));
    expect(message).toMatch(/would be larger than 4 MB.*\(edit 23 of 40; none was made\)/);
  });
});
