import { type ReactNode, useRef } from 'react';
import { Block } from './block.tsx';
import { noBlocks, splitBlocks } from './split-blocks.ts';
import './markdown.css';

/** A text of the model as Markdown. Nothing in it is HTML, nothing is loaded; while it grows only its last block is drawn again. */
export function Markdown({ text, isGrowing = false }: { text: string; isGrowing?: boolean }): ReactNode {
  const known = useRef(noBlocks);
  known.current = splitBlocks(known.current, text);
  const { blocks } = known.current;
  return (
    <div className="markdown">
      {blocks.map(({ start, node }) => (
        <Block key={start} node={node} isGrowing={isGrowing} />
      ))}
    </div>
  );
}
