import { type ReactNode, useState } from 'react';
import { Block } from './block.tsx';
import { noBlocks, splitBlocks } from './split-blocks.ts';
import './markdown.css';

/** A text of the model as Markdown. Nothing in it is HTML, nothing is loaded; while it grows only its last block is drawn again. */
export function Markdown({ text, isGrowing = false }: { text: string; isGrowing?: boolean }): ReactNode {
  const [known, setKnown] = useState(() => splitBlocks(noBlocks, text));
  const current = splitBlocks(known, text);
  if (current !== known) setKnown(current);
  return (
    <div className="markdown">
      {current.blocks.map(({ start, node }) => (
        <Block key={start} node={node} isGrowing={isGrowing} />
      ))}
    </div>
  );
}
