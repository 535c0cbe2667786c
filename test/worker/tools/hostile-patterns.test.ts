import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { globTool } from '../../../electron/worker/tools/search/glob.ts';
import { isQuickPattern } from '../../../electron/worker/tools/search/quick-pattern.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
  for (const name of ['a'.repeat(60), 'b.ts', 'c.js', 'x1']) writeFileSync(join(bench.dir, name), '');
});
afterEach(() => bench.remove());

/** The time limit of matching is ten times shorter: what hangs costs a core. */
const hurried: typeof systemClock = {
  ...systemClock,
  after: (ms, fn, options) => systemClock.after(ms === 5_000 ? 500 : ms, fn, options),
};

async function glob(pattern: string, clock = systemClock) {
  let [stall, last] = [0, performance.now()];
  const probe = setInterval(() => {
    stall = Math.max(stall, performance.now() - last);
    last = performance.now();
  }, 20);
  const prepared = await globTool.prepare({ pattern }, bench.context);
  if (prepared.kind === 'bad') throw new Error(prepared.message);
  const context = { ...bench.context, clock };
  const result = await globTool.execute(prepared.facts, context, new AbortController().signal, 'c1');
  await new Promise((resolve) => setTimeout(resolve, 30));
  clearInterval(probe);
  return { ...result, stall };
}

test.each([
  ['braces', '{a,b}'.repeat(30)],
  ['stars', `${'*a'.repeat(20)}b`],
  ['a range', '{1..100000000}'],
  ['groups', '+(a|aa|aaa)b'],
])(
  'A pattern of many %s is given up with what to do, and meanwhile everything else goes on.',
  async (_name, pattern) => {
    const { outcome, output, stall } = await glob(pattern, hurried);
    expect([outcome, output, stall < 8_000]).toEqual([
      'error',
      'Glob: the pattern takes too long to match; use fewer * and {} in a name, no groups, or list the files with Bash: find.',
      true,
    ]);
  },
  20_000,
);

test('Patterns that only look like it are matched all the same.', async () => {
  expect([
    (await glob('@(b|c).{ts,js}')).output.split('\n').sort(),
    (await glob('x{1..3}')).output,
    (await glob('*a*a*a*a*')).output,
    (await glob('+(q)')).output.startsWith('[no file in '),
  ]).toEqual([['b.ts', 'c.js'], 'x1', 'a'.repeat(60), true]);
});

test.each([
  ['**/*.ts', true],
  ['src/{a,b}/**/*.{test,spec}.{ts,tsx}', true],
  ['../x/*.ts', true],
  ['**/**/**/**/**/**/**/x', true],
  ['*foo*bar*', true],
  ['*a*b*c*d', false],
  ['{a*,b*}*{c*,d}', false],
  ['?(a)', false],
  ['{1..9}', false],
])('%s is matched at once: %s', (pattern, quick) => {
  expect(isQuickPattern(pattern)).toBe(quick);
});

/** The most memory of ripgrep processes in the test's own group of processes, MB. */
function ripgrepMegabytes(dir: string): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = all.flatMap((pid) => {
    try {
      const isOwn =
        readlinkSync(`/proc/${pid}/cwd`) === dir && readlinkSync(`/proc/${pid}/exe`).endsWith('/rg');
      return isOwn ? [/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]] : [];
    } catch {
      // It ended.
      return [];
    }
  });
  return Math.max(0, ...own.map((kilobytes) => Number(kilobytes ?? 0) / 1024));
}

test.runIf(process.platform === 'linux')(
  'A regular expression made to fill memory does not, and one that is too large is refused with what to do.',
  async () => {
    const random = randomBytes(4_000_000).toString('base64');
    writeFileSync(join(bench.dir, 'random.txt'), random);
    const stop = new AbortController();
    let megabytes = 0;
    const look = setInterval(() => {
      megabytes = Math.max(megabytes, ripgrepMegabytes(bench.dir));
    }, 50);
    setTimeout(() => stop.abort(), 5_000);
    const input = { pattern: '(.*a.{200})*b', path: 'random.txt', output_mode: 'content' };
    await bench.call('Grep', input, stop.signal);
    clearInterval(look);
    expect([megabytes > 5, megabytes < 200]).toEqual([true, true]);
    expect(await bench.call('Grep', { pattern: '(a{1,1000}){1,1000}' })).toEqual({
      outcome: 'error',
      output: 'Grep: the pattern is too large: use fewer or smaller counted repetitions such as {1,1000}.',
    });
  },
  20_000,
);
