import { type ReactNode, useEffect } from 'react';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { Conversation } from '../conversation/conversation.tsx';
import { Help } from '../help/help.tsx';
import { Locked } from '../locked/locked.tsx';
import { NewSession } from '../new-session/new-session.tsx';
import { Problems } from '../problems/problems.tsx';
import { Sidebar } from '../sidebar/sidebar.tsx';
import { Announcer } from './announcer.tsx';
import { LinkBar } from './link-bar.tsx';
import { useShellKeys } from './use-shell-keys.ts';
import './shell.css';

/** The whole window: sidebar and pane, or the word why there is nothing to show. */
export function Shell(): ReactNode {
  const kind = useWindow(({ link }) => link.kind);
  const hasHome = useWindow(({ home }) => home !== null);
  useWindowTitle();
  useReturnNudge();
  if (kind === 'locked' || kind === 'refused' || kind === 'outdated') return <Locked />;
  return hasHome ? <Panes /> : <Connecting />;
}

function Panes(): ReactNode {
  const text = useText();
  const isNarrow = useNarrow();
  const isListOnly = useWindow(({ pane }) => pane.kind === 'none') && isNarrow;
  useShellKeys();
  return (
    <div className="shell">
      {isNarrow && !isListOnly ? null : (
        <ErrorBoundary text={text}>
          <Sidebar />
        </ErrorBoundary>
      )}
      {isListOnly ? null : (
        <main className="pane">
          <LinkBar />
          <ErrorBoundary text={text}>
            <Pane />
          </ErrorBoundary>
        </main>
      )}
      <Help />
      <Announcer />
    </div>
  );
}

function Pane(): ReactNode {
  const text = useText();
  const pane = useWindow((state) => state.pane);
  switch (pane.kind) {
    case 'session':
      return <Conversation key={pane.id} session={pane.id} />;
    case 'new':
      return <NewSession />;
    case 'problems':
      return <Problems />;
    case 'none':
      return <p className="centre tone-muted">{text.groups.noneAsk}</p>;
  }
}

/** Nothing is said in the first moments: most windows are there before one could read it. */
function Connecting(): ReactNode {
  return (
    <main className="pane">
      <LinkBar />
    </main>
  );
}

function useWindowTitle(): void {
  const text = useText();
  const asking = useWindow(({ home }) => home?.prompts.length ?? 0);
  useEffect(() => {
    document.title = asking === 0 ? text.app : `(${asking}) ${text.app}`;
  }, [asking, text]);
}

/** Back from sleep, from another tab, or from a network loss: look at once whether the connection still holds. */
function useReturnNudge(): void {
  const { nudge } = useActs();
  useEffect(() => {
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') nudge();
    };
    document.addEventListener('visibilitychange', onVisible);
    window.addEventListener('online', nudge);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      window.removeEventListener('online', nudge);
    };
  }, [nudge]);
}
