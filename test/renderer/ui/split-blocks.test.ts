import { describe, expect, it } from 'vitest';
import { noBlocks, splitBlocks } from '../../../renderer/ui/markdown/split-blocks.ts';

const answer =
  '# Title\n\nFirst **words**.\n\n- one\n- two\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd <b>bold</b>.';

describe('Blocks of a Markdown text', () => {
  it('are read as kinds, with HTML as nothing but text', () => {
    const { blocks } = splitBlocks(noBlocks, answer);
    expect(blocks.map(({ node, start }) => [node.type, answer.slice(start, start + 5)])).toEqual([
      ['heading', '# Tit'],
      ['paragraph', 'First'],
      ['list', '- one'],
      ['code', '```ts'],
      ['table', '| a |'],
      ['paragraph', 'End <'],
    ]);
  });

  it('are the same however the text came in pieces, and all but the last stay the same objects', () => {
    for (const step of [1, 3, 7]) {
      let grown = noBlocks;
      for (let end = step; end < answer.length + step; end += step) {
        const next = splitBlocks(grown, answer.slice(0, end));
        expect(next.blocks.slice(0, grown.blocks.length - 1)).toEqual(grown.blocks.slice(0, -1));
        for (const [index, block] of grown.blocks.slice(0, -1).entries())
          expect(next.blocks[index]).toBe(block);
        grown = next;
      }
      const whole = splitBlocks(noBlocks, answer).blocks;
      expect(grown.blocks.map(({ start, node }) => [start, node.type])).toEqual(
        whole.map(({ start, node }) => [start, node.type]),
      );
    }
  });

  it('are read anew where the text is another one', () => {
    const first = splitBlocks(noBlocks, 'one\n\ntwo');
    expect(splitBlocks(first, 'other').blocks.map(({ node }) => node.type)).toEqual(['paragraph']);
  });
});
