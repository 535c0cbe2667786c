import type { ReactNode } from 'react';
import { splitFences } from './split-fences.ts';
import { splitInlineCode } from './split-inline-code.ts';
import './plain-text.css';

/** A message as plain text; only ``` blocks and `code` stand out. Nothing in it is ever read as HTML, a link or an image. */
export function PlainText({ text }: { text: string }): ReactNode {
  return (
    <div className="plain-text">
      {splitFences(text).map((piece, index) =>
        piece.kind === 'code' ? (
          <pre key={index} className="code-block">
            {piece.text}
          </pre>
        ) : (
          <p key={index}>
            <Words text={piece.text} />
          </p>
        ),
      )}
    </div>
  );
}

function Words({ text }: { text: string }): ReactNode {
  return splitInlineCode(text).map((piece, index) =>
    piece.kind === 'code' ? (
      <code key={index} className="inline-code">
        {piece.text}
      </code>
    ) : (
      piece.text
    ),
  );
}
