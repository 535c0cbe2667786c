import { type ReactNode, useMemo } from 'react';
import type { SessionView } from '../../../shared/protocol/bridge.ts';
import { groupSessions } from '../../store/session-order.ts';
import { may } from '../../store/window-state.ts';
import { IconButton } from '../../ui/button.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { stopProps } from '../shell/stops.ts';
import { SessionRow } from './session-row.tsx';
import { SidebarFoot } from './sidebar-foot.tsx';
import './sidebar.css';

const none: readonly SessionView[] = [];

/** All sessions: what needs the person first, then what works, then the rest by activity. */
export function Sidebar(): ReactNode {
  const text = useText();
  const { show } = useActs();
  const sessions = useWindow(({ home }) => home?.sessions ?? none);
  const isOwner = useWindow((state) => may(state, 'owner'));
  const { asking, working, rest } = useMemo(() => groupSessions(sessions), [sessions]);
  return (
    <nav className="sidebar" aria-label={text.sidebar.sessions} {...stopProps}>
      <div className="sidebar-head">
        <span className="sidebar-name">{text.app}</span>
        {isOwner ? (
          <IconButton icon="plus" label={text.sidebar.newSession} onPress={() => show({ kind: 'new' })} />
        ) : null}
      </div>
      <div className="sidebar-list">
        {sessions.length === 0 ? <p className="sidebar-empty">{text.sidebar.noSessions}</p> : null}
        <Group title={text.groups.asking} sessions={asking} />
        <Group title={text.groups.working} sessions={working} />
        <Group title={text.groups.rest} sessions={rest} />
      </div>
      <SidebarFoot />
    </nav>
  );
}

function Group({ title, sessions }: { title: string; sessions: readonly SessionView[] }): ReactNode {
  if (sessions.length === 0) return null;
  return (
    <section className="sidebar-group">
      <h2>
        {title} <span className="sidebar-count">{sessions.length}</span>
      </h2>
      <ul>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </section>
  );
}
