import { type ReactNode, useMemo, useState } from 'react';
import type { SessionView } from '../../../shared/protocol/bridge.ts';
import { groupSessions, sessionTitle } from '../../store/session-order.ts';
import { may } from '../../store/window-state.ts';
import { IconButton } from '../../ui/button.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { stopProps } from '../shell/stops.ts';
import { SessionRow } from './session-row.tsx';
import { SidebarFoot } from './sidebar-foot.tsx';
import './sidebar.css';

const none: readonly SessionView[] = [];
/** Fewer than these are seen at a glance. */
const fewSessions = 9;

/** All sessions: what needs the person first, then what works, then the rest by activity. */
export function Sidebar(): ReactNode {
  const text = useText();
  const { show } = useActs();
  const sessions = useWindow(({ home }) => home?.sessions ?? none);
  const isOwner = useWindow((state) => may(state, 'owner'));
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => filtered(sessions, filter), [sessions, filter]);
  const { asking, working, rest } = useMemo(() => groupSessions(shown), [shown]);
  return (
    <nav className="sidebar" aria-label={text.sidebar.sessions} {...stopProps}>
      <div className="sidebar-head">
        <span className="sidebar-name">{text.app}</span>
        <div className="sidebar-head-acts">
          <IconButton
            icon="search"
            label={text.views.nav.search}
            onPress={() => show({ kind: 'search', session: null, words: '' })}
          />
          {isOwner ? (
            <IconButton icon="plus" label={text.sidebar.newSession} onPress={() => show({ kind: 'new' })} />
          ) : null}
        </div>
      </div>
      {sessions.length < fewSessions ? null : (
        <div className="sidebar-filter">
          <input
            className="input"
            type="search"
            aria-label={text.views.nav.filter}
            placeholder={text.views.nav.filter}
            autoComplete="off"
            spellCheck={false}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </div>
      )}
      <div className="sidebar-list">
        {sessions.length === 0 ? <p className="sidebar-empty">{text.sidebar.noSessions}</p> : null}
        {sessions.length > 0 && shown.length === 0 ? (
          <p className="sidebar-empty">{text.views.nav.noMatch}</p>
        ) : null}
        <Group title={text.groups.asking} sessions={asking} />
        <Group title={text.groups.working} sessions={working} />
        <Group title={text.groups.rest} sessions={rest} />
      </div>
      <SidebarFoot />
    </nav>
  );
}

/** Sessions whose name or directory holds every typed word. */
function filtered(sessions: readonly SessionView[], typed: string): readonly SessionView[] {
  const words = typed.trim().toLowerCase().split(/\s+/);
  return sessions.filter((session) => {
    const all = `${sessionTitle(session)} ${session.dir}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
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
