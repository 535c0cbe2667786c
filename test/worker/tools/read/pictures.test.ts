import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleGif, sampleJpeg, samplePng, sampleWebp } from '../../support/sample-files.ts';
import { type ToolBench, toolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const put = (name: string, content: Uint8Array): string => {
  const path = join(bench.dir, name);
  writeFileSync(path, content);
  return path;
};
const read = (file_path: string) => bench.call('Read', { file_path });

describe('a picture', () => {
  test.each([
    ['image/png', samplePng(640, 480), '640 x 480'],
    ['image/gif', sampleGif(320, 200), '320 x 200'],
    ['image/jpeg', sampleJpeg(4_000, 3_000), '4000 x 3000'],
    ['image/webp', sampleWebp('VP8 ', 100, 50), '100 x 50'],
    ['image/webp', sampleWebp('VP8L', 1_000, 2_000), '1000 x 2000'],
    ['image/webp', sampleWebp('VP8X', 70, 7_000), '70 x 7000'],
  ])('%s is known by its content and seen by the model', async (mediaType, content, size) => {
    put('no-matter.txt', content);
    const hash = createHash('sha256').update(content).digest('hex');
    expect([await read('no-matter.txt'), [...bench.blobs.keys()]]).toEqual([
      {
        outcome: 'ok',
        output: `[${mediaType}, ${size} pixels, ${content.length} bytes; the picture is attached]`,
        images: [{ hash, mediaType, bytes: content.length }],
      },
      [hash],
    ]);
  });

  test('that no model takes is refused with what to do, and nothing is stored', async () => {
    const large = put('large.png', new Uint8Array([...samplePng(), ...new Uint8Array(4_000_000)]));
    const wide = put('wide.png', samplePng(9_000, 10));
    const cut = put('cut.jpg', sampleJpeg(10, 10).subarray(0, 14));
    const empty = put('empty.gif', sampleGif(0, 0));
    const failed = (output: string) => ({ outcome: 'error', output });
    expect([
      await read('large.png'),
      await read('wide.png'),
      await read('cut.jpg'),
      await read('empty.gif'),
      bench.blobs.size,
    ]).toEqual([
      failed(`"${large}" is larger than 3.75 MB, the most a model takes; make a smaller copy with Bash.`),
      failed(`"${wide}" has 9000 x 10 pixels; a model takes at most 8000 a side, make a smaller copy.`),
      failed(`"${cut}" is a damaged image/jpeg file.`),
      failed(`"${empty}" is a damaged image/gif file.`),
      0,
    ]);
  });
});
