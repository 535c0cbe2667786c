import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { samplePng } from '../../support/sample-files.ts';
import { type ToolBench, toolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const read = (more: object = {}) => bench.call('Read', { file_path: 'a.ipynb', ...more });
const put = (content: unknown): void =>
  writeFileSync(join(bench.dir, 'a.ipynb'), typeof content === 'string' ? content : JSON.stringify(content));
const png = Buffer.from(samplePng(5, 7)).toString('base64');
const picture = { output_type: 'display_data', data: { 'image/png': png, 'text/plain': ['<Figure>'] } };
const code = (source: string | string[], outputs: object[], execution_count: number | null = null) => ({
  cell_type: 'code',
  source,
  execution_count,
  outputs,
});

describe('a notebook', () => {
  test('is read cell by cell, with outputs, errors and pictures', async () => {
    put({
      nbformat: 4,
      cells: [
        { cell_type: 'markdown', source: ['# Title\n', 'words'] },
        code('print(1)', [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }, picture], 3),
        code('1/0', [{ output_type: 'error', ename: 'ZeroDivisionError', evalue: 'division by zero' }]),
        code('', []),
      ],
    });
    const hash = createHash('sha256').update(samplePng(5, 7)).digest('hex');
    expect(await read()).toEqual({
      outcome: 'ok',
      output: [
        '[notebook, 4 cells]',
        '--- cell 1: markdown ---',
        '# Title',
        'words',
        '--- cell 2: code, run 3 ---',
        'print(1)',
        '[output]',
        '1',
        '[output]',
        '<Figure>',
        `[image/png, 5 x 7 pixels, ${samplePng().length} bytes; the picture is attached]`,
        '--- cell 3: code ---',
        '1/0',
        '[error] ZeroDivisionError: division by zero',
        '--- cell 4: code ---',
      ].join('\n'),
      images: [{ hash, mediaType: 'image/png', bytes: samplePng().length }],
    });
  });

  test('gives the cells that are asked for, at most five pictures and short outputs', async () => {
    put({ cells: [code('a', [picture, picture, picture, picture, picture, picture]), code('b', [])] });
    const first = await read({ limit: 1 });
    put({ cells: [code('c', [{ output_type: 'stream', text: 'x'.repeat(9_000) }])] });
    const long = await read();
    expect([
      first.images?.length,
      first.output.includes('[picture left out: 5 are shown at a time]'),
      first.output.split('\n').at(-1),
      long.output.endsWith('\n[1000 more characters left out]'),
      (await read({ offset: 2 })).output,
    ]).toEqual([
      5,
      true,
      '[there is more: go on with offset 2 (cells)]',
      true,
      '[the notebook has fewer than 2 cells]',
    ]);
  });

  test('that is none is read as the text that it is', async () => {
    put('{"cells": 7}');
    expect(await read()).toEqual({ outcome: 'ok', output: '     1\t{"cells": 7}' });
  });
});
