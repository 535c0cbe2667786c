import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encryptedPdf, samplePdf } from '../../support/sample-files.ts';
import { type ToolBench, toolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const put = (name: string, content: Uint8Array | string): string => {
  const path = join(bench.dir, name);
  writeFileSync(path, content);
  return path;
};
const read = (file_path: string, more: object = {}) => bench.call('Read', { file_path, ...more });
const ok = (output: string) => ({ outcome: 'ok', output });
const failed = (output: string) => ({ outcome: 'error', output });

describe('the text of a PDF', () => {
  test('comes page by page, the pages that are asked for', async () => {
    const path = put('a.pdf', samplePdf(['Hello one', '', 'Hello three']));
    const [one, two, three] = [
      '--- page 1 ---\nHello one',
      '--- page 2 ---\n[no text on this page; it may be a picture]',
      '--- page 3 ---\nHello three',
    ];
    expect([
      await read('a.pdf'),
      await read('a.pdf', { pages: '2' }),
      await read('a.pdf', { pages: '2-9' }),
      await read('a.pdf', { pages: '3-' }),
      await read('a.pdf', { pages: '4' }),
    ]).toEqual([
      ok(`[PDF, 3 pages]\n${one}\n${two}\n${three}`),
      ok(`[PDF, 3 pages]\n${two}\n[there is more: go on with pages "3-"]`),
      ok(`[PDF, 3 pages]\n${two}\n${three}`),
      ok(`[PDF, 3 pages]\n${three}`),
      failed(`"${path}" has 3 pages, no page 4.`),
    ]);
  });

  test('is given 20 pages at a time', async () => {
    put('a.pdf', samplePdf(Array.from({ length: 25 }, (_page, index) => `Text ${index + 1}`)));
    const { output } = await read('a.pdf');
    expect([output.match(/--- page/g)?.length, output.split('\n').at(-1)]).toEqual([
      20,
      '[there is more: go on with pages "21-"]',
    ]);
  });

  test('that cannot be read is said: damaged, encrypted, no PDF, wrong pages', async () => {
    const damaged = put('damaged.pdf', samplePdf(['x']).subarray(0, 200));
    const locked = put('locked.pdf', encryptedPdf());
    const text = put('text.txt', 'see "%PDF-1.4"');
    expect([
      await read('damaged.pdf'),
      await read('locked.pdf'),
      await read('text.txt', { pages: '1' }),
      await read('text.txt'),
      await read('text.txt', { pages: '3-1' }),
    ]).toEqual([
      failed(`"${damaged}" is a damaged PDF (Invalid PDF structure).`),
      failed(
        `"${locked}" is an encrypted PDF and needs a password; take the protection off with Bash, for example: qpdf --decrypt.`,
      ),
      failed(`"${text}" is no PDF: use offset and limit.`),
      ok('     1\tsee "%PDF-1.4"'),
      failed('Read: pages must be like "3", "1-5" or "4-"'),
    ]);
  });
});
