import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { readPieces } from '../../../electron/worker/tools/read-pieces.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

test('a stream that has nothing to read is an error at once, and what it had is its content', async () => {
  const path = join(bench.dir, 'stream');
  execFileSync('mkfifo', [path]);
  // Keeps both ends open, so that a blocking read would wait for ever.
  const held = openSync(path, constants.O_RDWR);
  await expect(readPieces(path, systemClock, () => true)).rejects.toMatchObject({ code: 'EAGAIN' });
  writeSync(held, 'now');
  const got: string[] = [];
  await readPieces(path, systemClock, (piece) => got.push(Buffer.from(piece).toString()) > 0);
  closeSync(held);
  expect(got).toEqual(['now']);
});

test('a path whose folder has become a link since it was allowed is not read', async () => {
  mkdirSync(join(bench.dir, 'elsewhere'));
  writeFileSync(join(bench.dir, 'elsewhere', 'a.txt'), 'secret');
  symlinkSync('elsewhere', join(bench.dir, 'folder'));
  symlinkSync('elsewhere/a.txt', join(bench.dir, 'link'));
  const read = (path: string) => readPieces(join(bench.dir, path), systemClock, () => true);
  await expect(read('folder/a.txt')).rejects.toMatchObject({ code: 'moved' });
  await expect(read('link')).rejects.toMatchObject({ code: 'moved' });
});

test('what gives no answer is given up', async () => {
  const path = join(bench.dir, 'file');
  writeFileSync(path, 'x');
  const impatient = {
    ...systemClock,
    after: (_ms: number, over: () => void) => {
      over();
      return () => undefined;
    },
  };
  await expect(readPieces(path, impatient, () => true)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'no tool waits for a kernel log that looks like a file',
  async () => {
    const path = '/proc/kmsg';
    // Reading it takes what is there; the second time there is nothing.
    await bench.call('Read', { file_path: path });
    const answers = [
      await bench.call('Read', { file_path: path }),
      await bench.call('Edit', { file_path: path, old_string: 'x', new_string: 'y' }),
      await bench.call('Write', { file_path: path, content: 'x' }),
    ];
    expect(answers.map(({ output }) => output.replace(/^\w+: /, '').replace(/\.$/, ''))).toEqual(
      Array.from(
        { length: 3 },
        () => `"${path}" is a stream that has nothing to read now; read it with Bash and a time-out`,
      ),
    );
  },
);
