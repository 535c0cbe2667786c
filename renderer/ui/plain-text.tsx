import type { ReactNode } from 'react';
import { splitFences } from './split-fences.ts';
import './plain-text.css';

/** A message as plain text; only ``` blocks stand out. Nothing in it is ever read as HTML, a link or an image. */
export function PlainText({ text }: { text: string }): ReactNode {
  return (
    <div className="plain-text">
      {splitFences(text).map((piece, index) =>
        piece.kind === 'code' ? (
          <pre key={index} className="code-block">
            {piece.text}
          </pre>
        ) : (
          <p key={index}>{piece.text}</p>
        ),
      )}
    </div>
  );
}
