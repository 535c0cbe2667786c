import type { ReactNode } from 'react';
import type { DeliveryItem, NoticeItem, UnknownItem } from '../../../shared/session/session-view-items.ts';
import { Icon } from '../../ui/icons.tsx';
import { At } from '../../ui/time.tsx';
import { useText } from '../../ui/window-context.tsx';

/** Something that happened to the session itself. */
export function NoticeLine({ item }: { item: NoticeItem }): ReactNode {
  const text = useText();
  const isTrouble = item.notice === 'parked';
  return (
    <p className={`line${isTrouble ? ' tone-danger' : ''}`}>
      {isTrouble ? <Icon name="parked" /> : null}
      <span>{text.notices[item.notice](item.detail)}</span> <At at={item.at} />
    </p>
  );
}

/** What became of a message to a chat; the amber mark stays until it is resolved. */
export function DeliveryLine({ item }: { item: DeliveryItem }): ReactNode {
  const text = useText();
  const tone = item.state === 'uncertain' ? 'asking' : item.state === 'failed' ? 'danger' : 'muted';
  const { surface, chat } = item.route;
  const reason = item.reason === null ? '' : ` ${item.reason}`;
  return (
    <p className={`line tone-${tone}`}>
      <Icon name={item.state === 'done' ? 'check' : tone === 'muted' ? 'circle' : 'problem'} />
      <span>
        {text.delivery[item.state](chat === undefined ? surface : `${surface} ${chat}`)}
        {reason}
      </span>
    </p>
  );
}

/** An event this build cannot read: shown as it is, never hidden. */
export function UnknownLine({ item }: { item: UnknownItem }): ReactNode {
  const text = useText();
  return (
    <details className="line-details">
      <summary className="line">{text.history.unknownEvent(item.type)}</summary>
      <pre className="code-block">{JSON.stringify(item.body, null, 2)}</pre>
    </details>
  );
}
