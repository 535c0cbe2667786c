import { memo, type ReactNode } from 'react';
import type { SessionView } from '../../../shared/protocol/bridge.ts';
import { sessionTitle } from '../../store/session-order.ts';
import { Icon } from '../../ui/icons.tsx';
import { stateLook, stateWord } from '../../ui/state-look.ts';
import { Ago } from '../../ui/time.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { stopFocusProps } from '../shell/stops.ts';

/** One session: shape, title, word, time. */
export const SessionRow = memo(function SessionRow({ session }: { session: SessionView }): ReactNode {
  const text = useText();
  const { show } = useActs();
  const now = useNow(null);
  const isOpen = useWindow(({ pane }) => pane.kind === 'session' && pane.id === session.id);
  const { icon, tone } = stateLook(session);
  return (
    <li>
      <button
        type="button"
        className={`session-row${session.state === 'working' ? ' is-working' : ''}`}
        aria-current={isOpen ? 'page' : undefined}
        onClick={() => show({ kind: 'session', id: session.id })}
        {...(isOpen ? stopFocusProps : {})}
      >
        <Icon name={icon} tone={tone} />
        <span className="session-row-title">{sessionTitle(session)}</span>
        <span className="session-row-time">
          <Ago at={session.lastActivity} />
        </span>
        <span className={`session-row-word tone-${tone}`}>{stateWord(text, session, now)}</span>
      </button>
    </li>
  );
});
