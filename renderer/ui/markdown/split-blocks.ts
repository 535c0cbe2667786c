import type { RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A block of a Markdown text: where its source begins, and what it was read as. */
export interface MarkdownBlock {
  readonly start: number;
  readonly node: RootContent;
}

/** A text and its blocks; feed it back so that a text that grows is read from its last block on only. */
export interface MarkdownBlocks {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
}

const extensions = [gfm()];
const mdastExtensions = [gfmFromMarkdown()];

export const noBlocks: MarkdownBlocks = { text: '', blocks: [] };

/**
 * The blocks of `text`. Where it begins with the text before, all but the last block stay the same objects: only the last one can
 * still change by what comes after it.
 */
export function splitBlocks(before: MarkdownBlocks, text: string): MarkdownBlocks {
  if (text === before.text) return before;
  const last = before.blocks.at(-1);
  if (last === undefined || !text.startsWith(before.text)) return { text, blocks: read(text, 0) };
  return { text, blocks: [...before.blocks.slice(0, -1), ...read(text, last.start)] };
}

function read(text: string, from: number): MarkdownBlock[] {
  const root = fromMarkdown(text.slice(from), { extensions, mdastExtensions });
  return root.children.map((node) => ({ start: from + (node.position?.start.offset ?? 0), node }));
}
