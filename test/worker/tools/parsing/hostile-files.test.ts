import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../electron/node/clock.ts';
import { readTool } from '../../../../electron/worker/tools/read.ts';
import { hostilePdfs } from '../../support/hostile-pdfs.ts';
import { type ToolBench, toolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

let longestStall = 0;
let last = performance.now();
const probe = setInterval(() => {
  longestStall = Math.max(longestStall, performance.now() - last);
  last = performance.now();
}, 20);
afterAll(() => clearInterval(probe));

/** Time limits are ten times shorter, or the test takes half a minute of a core. */
const hurried: typeof systemClock = {
  ...systemClock,
  after: (ms, fn, options) => systemClock.after(ms / 10, fn, options),
};

async function read(name: string, content: Uint8Array | string) {
  writeFileSync(join(bench.dir, name), content);
  const before = process.memoryUsage.rss();
  [longestStall, last] = [0, performance.now()];
  const prepared = await readTool.prepare({ file_path: name }, bench.context);
  if (prepared.kind === 'bad') throw new Error(prepared.message);
  const context = { ...bench.context, clock: hurried };
  const { output } = await readTool.execute(prepared.facts, context, new AbortController().signal, 'c1');
  const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
  return { output, stall: longestStall, grown };
}

describe('A PDF made to hang its reader', () => {
  test.each(Object.entries(hostilePdfs()))(
    'ends in words, and meanwhile everything else goes on: %s',
    async (_name, bytes) => {
      const { output, stall, grown } = await read('a.pdf', bytes);
      expect([output.length > 10, output.length < 10_000, stall < 8_000, grown < 1_500]).toEqual([
        true,
        true,
        true,
        true,
      ]);
    },
    60_000,
  );
});

describe('A notebook made to hang its reader', () => {
  const cells = (list: unknown): string => JSON.stringify({ nbformat: 4, cells: list });
  test.each([
    ['cells that are none', cells({ 0: 'x' }), /^ {5}1\t\{/],
    [
      'a million cells',
      cells(Array.from({ length: 400_000 }, () => ({ cell_type: 'code', source: '' }))),
      /^\[note/,
    ],
    ['arrays in arrays', `{"cells": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /^ {5}1\t\{/],
    [
      'outputs in outputs',
      cells([
        {
          cell_type: 'code',
          source: 'x',
          outputs: [{ output_type: 'display_data', data: { 'image/png': { a: 1 } } }],
        },
      ]),
      /^\[notebook, 1 cell\]\n.*\nx$/,
    ],
    [
      'pictures that are none',
      cells([
        {
          cell_type: 'code',
          source: 'x',
          outputs: [{ output_type: 'display_data', data: { 'image/png': 'AAAA' } }],
        },
      ]),
      /left out: it is no picture/,
    ],
    [
      'a picture of 15 MB',
      cells([
        {
          cell_type: 'code',
          source: 'x',
          outputs: [{ output_type: 'display_data', data: { 'image/png': 'A'.repeat(15_000_000) } }],
        },
      ]),
      /left out: it is larger than 3.75 MB/,
    ],
    ['more than 20 MB', cells([{ cell_type: 'code', source: 'x'.repeat(21_000_000) }]), /^ {5}1\t\{/],
  ])(
    'is read as cells or as text, and meanwhile everything else goes on: %s',
    async (_name, text, expected) => {
      const { output, stall } = await read('a.ipynb', text);
      expect([
        expected.test(output) ? '' : output.slice(0, 300),
        output.length < 400_000,
        stall < 8_000,
      ]).toEqual(['', true, true]);
    },
    30_000,
  );
});
