import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const put = (path: string, content: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};
const at = (name: string): string => join(bench.dir, name);
const home = (name: string): string => join(bench.context.home, name);

test('a hard link to a file of the home counts as that file, so that the policy denies it', async () => {
  linkSync(put(home('daemon.json'), 'token'), at('token.txt'));
  linkSync(put(home('blobs/ab/abcd'), 'said'), at('blob'));
  linkSync(put(home('scratch/s1/out.txt'), 'mine'), at('spill'));
  linkSync(put(at('one'), 'x'), at('two'));
  const paths = async (tool: string, input: object) => (await bench.prepare(tool, input)).facts?.paths;
  expect([
    await paths('Read', { file_path: 'token.txt' }),
    await paths('Read', { file_path: 'blob' }),
    await paths('Write', { file_path: 'token.txt', content: '' }),
    await paths('Edit', { file_path: 'token.txt', old_string: 'token', new_string: 'x' }),
    await paths('Grep', { pattern: 't', path: 'token.txt' }),
    await paths('Read', { file_path: 'spill' }),
    await paths('Read', { file_path: 'two' }),
  ]).toEqual([
    [at('token.txt'), home('daemon.json')],
    [at('blob'), home('blobs/ab/abcd')],
    [at('token.txt'), home('daemon.json')],
    [at('token.txt'), home('daemon.json')],
    [at('token.txt'), home('daemon.json')],
    [at('spill')],
    [at('two')],
  ]);
});

test('a file that became such a link after it was allowed is not read', async () => {
  put(home('daemon.json'), 'token');
  const { facts } = await bench.prepare('Read', { file_path: 'later.txt' });
  linkSync(home('daemon.json'), at('later.txt'));
  expect(facts && (await bench.run(facts))).toEqual({
    outcome: 'error',
    output: `"${at('later.txt')}" now leads somewhere else; call Read again.`,
  });
});

test('searching a folder leaves out links to files of the home, and shows other hard links', async () => {
  linkSync(put(home('daemon.json'), 'token\n'), at('a-token.txt'));
  linkSync(put(at('one'), 'a token\n'), at('two'));
  const grep = async (more: object) =>
    (await bench.call('Grep', { pattern: 'token', ...more })).output.split('\n');
  expect([
    await grep({}),
    await grep({ output_mode: 'content', '-C': 2 }),
    await grep({ output_mode: 'count' }),
  ]).toEqual([
    ['one', 'two'],
    ['one:1:a token', '--', 'two:1:a token'],
    ['one:1', 'two:1'],
  ]);
});
