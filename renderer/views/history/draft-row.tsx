import type { ReactNode } from 'react';
import type { Draft } from '../../../shared/protocol/bridge.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { useText } from '../../ui/window-context.tsx';

/** The reply that is being made, as far as it has come; final only when it is stored. */
export function DraftRow({ draft, isDetailed }: { draft: Draft | null; isDetailed: boolean }): ReactNode {
  const text = useText();
  const parts = (draft?.parts ?? []).filter(
    ({ kind, text: words }) => words.trim() !== '' && (kind === 'text' || isDetailed),
  );
  if (parts.length === 0) return null;
  return (
    <article className="message-out is-draft">
      <p className="message-meta">
        <span className="message-author">{text.history.kairos}</span>
        {text.history.draft}
      </p>
      {parts.map((part, index) =>
        part.kind === 'call' ? (
          <pre key={index} className="code-block">
            {part.text}
          </pre>
        ) : (
          <Markdown key={index} text={part.text} isGrowing />
        ),
      )}
    </article>
  );
}
