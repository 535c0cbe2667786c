import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { readTool } from '../../../electron/worker/tools/read.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const put = (name: string, content: string | Uint8Array): string => {
  const path = join(bench.dir, name);
  writeFileSync(path, content);
  return path;
};
const read = (file_path: string, more: object = {}) => bench.call('Read', { file_path, ...more });
const error = (output: string) => ({ outcome: 'error', output });

describe('reading', () => {
  test('lines come with their numbers; CR and a missing last line end are no part of them', async () => {
    put('a.txt', 'one\r\n\n你好\nlast');
    expect(await read('a.txt')).toEqual({
      outcome: 'ok',
      output: '     1\tone\n     2\t\n     3\t你好\n     4\tlast',
    });
  });

  test('offset and limit choose a part, and the next offset is named', async () => {
    put('a.txt', 'a\nb\nc\nd\n');
    expect([await read('a.txt', { offset: 2, limit: 2 }), await read('a.txt', { offset: 9 })]).toEqual([
      { outcome: 'ok', output: '     2\tb\n     3\tc\n[there is more: go on with offset 4]' },
      { outcome: 'ok', output: '[the file has fewer than 9 lines]' },
    ]);
  });

  test('a huge file is read up to 2,000 lines, from any place, without filling memory', async () => {
    const path = put('big.txt', '');
    execFileSync('sh', ['-c', `seq 1 5000000 > '${path}'`]);
    const before = process.memoryUsage().rss;
    const [first, middle] = [await read('big.txt'), await read('big.txt', { offset: 3_000_000, limit: 1 })];
    expect({
      first: [
        first.output.split('\n').length,
        first.output.endsWith('\n[there is more: go on with offset 2001]'),
      ],
      middle: middle.output,
      grown: process.memoryUsage().rss - before < 80_000_000,
    }).toEqual({
      first: [2_001, true],
      middle: '3000000\t3000000\n[there is more: go on with offset 3000001]',
      grown: true,
    });
  }, 20_000);

  test('a line that never ends is given up after a while, and at once by an interrupt', async () => {
    const path = put('endless.txt', 'x'.repeat(100_000));
    const prepared = await readTool.prepare({ file_path: path }, bench.context);
    if (prepared.kind === 'bad') throw new Error(prepared.message);
    let now = 0;
    const late = { ...systemClock, monotonic: () => (now += 20_000) };
    const [slow, stopped] = [new AbortController(), new AbortController()];
    stopped.abort();
    const run = (clock: typeof systemClock, { signal }: AbortController) =>
      readTool.execute(prepared.facts, { ...bench.context, clock }, signal, 'c1');
    expect([await run(late, slow), await run(systemClock, stopped)]).toEqual([
      error(
        `Line 1 of "${path}" was not reached within 30 s. Take what you need out of it with Bash, for example: tail or cut.`,
      ),
      { outcome: 'interrupted', output: 'Stopped by an interrupt.' },
    ]);
  });

  test('very long lines are cut and said, and the whole stays short', async () => {
    put('long.txt', Array.from({ length: 300 }, () => '"'.repeat(3_000)).join('\n'));
    const { output } = await read('long.txt');
    expect([output.length < 160_000, /\[\d+ very long lines were cut\]/.test(output)]).toEqual([true, true]);
  });

  test('an empty file reads as nothing', async () => {
    put('empty', '');
    expect(await read('empty')).toEqual({ outcome: 'ok', output: '' });
  });
});

describe('what cannot be read', () => {
  test('is said: missing, directory, binary, device, pipe, below a file, bad offset', async () => {
    put('bin', new Uint8Array([65, 0, 66]));
    put('file', 'x');
    mkdirSync(join(bench.dir, 'sub'));
    execFileSync('mkfifo', [join(bench.dir, 'fifo')]);
    const at = (name: string): string => join(bench.dir, name);
    expect([
      await read('nope.txt'),
      await read('sub'),
      await read('bin'),
      await read('/dev/zero'),
      await read('fifo'),
      await read('file/x'),
      await read('file', { offset: 0 }),
      await read(''),
    ]).toEqual([
      error(`"${at('nope.txt')}" does not exist.`),
      error(`"${at('sub')}" is a directory, not a file. List it with Bash: ls.`),
      error(`"${at('bin')}" is a binary file. Look at it with Bash, for example: file or xxd.`),
      error('"/dev/zero" is a device, pipe or socket and cannot be read as a file.'),
      error(`"${at('fifo')}" is a device, pipe or socket and cannot be read as a file.`),
      error(`Read: "${at('file/x')}" leads through something that is not a directory`),
      error('Read: "offset" must not be less than 1. Nothing was done; call it again with valid input.'),
      error('Read: the path is empty'),
    ]);
  });

  test('is said: a file that the system refuses to give', async () => {
    // root may read everything that has a mode; the memory of a process refuses address 0 to everybody.
    const root = process.getuid?.() === 0;
    const path = root ? '/proc/self/mem' : put('secret', 'x');
    if (!root) chmodSync(path, 0o000);
    const why = root ? 'could not be used (EIO)' : 'may not be accessed (permission denied)';
    expect((await read(path)).output).toMatch(new RegExp(`^".*" ${why.replace(/[()]/g, '\\$&')}\\.$`));
  });

  test('hold when it runs: a path that leads elsewhere by then is not read', async () => {
    put('a.txt', 'mine');
    const { facts } = await bench.prepare('Read', { file_path: 'later.txt' });
    symlinkSync(join(bench.dir, 'a.txt'), join(bench.dir, 'later.txt'));
    const path = join(bench.dir, 'later.txt');
    expect(facts && (await bench.run(facts))).toEqual(
      error(`"${path}" now leads somewhere else; call Read again.`),
    );
  });
});
