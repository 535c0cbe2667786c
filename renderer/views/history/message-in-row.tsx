import type { ReactNode } from 'react';
import type { MessageInItem } from '../../../shared/session/session-view-items.ts';
import type { WindowText } from '../../text/window-text.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { At } from '../../ui/time.tsx';
import { useText } from '../../ui/window-context.tsx';

/** A message that came in, with who sent it where that is not the owner, and how far it is. */
export function MessageInRow({ item }: { item: MessageInItem }): ReactNode {
  const text = useText();
  const { icon, tone, words } = markOf(text, item);
  const sender = senderOf(item);
  return (
    <article className="message-in">
      {sender === null ? null : (
        <p className="message-meta">
          <Icon name="person" />
          {sender}
        </p>
      )}
      <PlainText text={item.text} />
      <p className="message-meta message-mark">
        <At at={item.at} />
        <span title={words}>
          <Icon name={icon} tone={tone} label={words} />
        </span>
      </p>
    </article>
  );
}

function senderOf({ origin, route }: MessageInItem): string | null {
  if (origin === null || (origin.trust === 'owner' && route.surface === 'viewers')) return null;
  const chat = route.chat === undefined ? '' : `, ${route.chat}`;
  return route.surface === 'viewers' ? origin.principal : `${origin.principal} · ${route.surface}${chat}`;
}

interface Mark {
  readonly icon: IconName;
  readonly tone: string;
  readonly words: string;
}

function markOf({ marks }: WindowText, { settledBy, turn }: MessageInItem): Mark {
  switch (settledBy) {
    case null:
      return turn === null
        ? { icon: 'circle', tone: 'muted', words: marks.stored }
        : { icon: 'working', tone: 'accent', words: marks.working };
    case 'reply':
    case 'channel_reply':
      return { icon: 'check', tone: 'ok', words: marks.settled };
    case 'nothing_to_say':
      return { icon: 'check', tone: 'muted', words: marks.nothingToSay };
    case 'failure_notice':
      return { icon: 'problem', tone: 'danger', words: marks.failed };
    case 'interrupted':
      return { icon: 'stop', tone: 'muted', words: marks.interrupted };
  }
}
