import type { ReactNode } from 'react';
import type { ReplyItem } from '../../../shared/session/session-view-items.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { useText } from '../../ui/window-context.tsx';

/** What the model wrote besides its messages (detail view). */
export function ReplyRow({ item }: { item: ReplyItem }): ReactNode {
  const text = useText();
  return (
    <article className="reply">
      <p className="message-meta">{item.model}</p>
      {item.thinking === '' ? null : (
        <details>
          <summary className="message-meta">{text.history.thinking}</summary>
          <PlainText text={item.thinking} />
        </details>
      )}
      {item.text === '' ? null : <Markdown text={item.text} />}
    </article>
  );
}
