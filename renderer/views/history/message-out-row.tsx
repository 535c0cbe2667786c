import type { ReactNode } from 'react';
import type { MessageOutItem, TurnItem } from '../../../shared/session/session-view-items.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { At } from '../../ui/time.tsx';
import { useText } from '../../ui/window-context.tsx';
import { MessageFiles } from './message-files.tsx';

/** What Kairos says, with the files that go with it. What it says on its own names the reason. */
export function MessageOutRow(props: { item: MessageOutItem; turn: TurnItem | null }): ReactNode {
  const { item, turn } = props;
  const text = useText();
  const cause = turn === null ? '' : `: ${text.turn.causes[turn.cause]}`;
  return (
    <article className={`message-out${item.source === 'notice' ? ' is-notice' : ''}`}>
      <p className="message-meta">
        <span className="message-author">{text.history.kairos}</span>
        <At at={item.at} />
        {item.status === 'proactive' ? (
          <span className="tone-accent">
            {text.history.onItsOwn}
            {cause}
          </span>
        ) : null}
      </p>
      {item.text === '' ? null : <Markdown text={item.text} />}
      <MessageFiles item={item} />
    </article>
  );
}
