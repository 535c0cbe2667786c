import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { may } from '../../store/window-state.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { Conversation } from '../conversation/conversation.tsx';
import { Help } from '../help/help.tsx';
import { Locked } from '../locked/locked.tsx';
import { NewSession } from '../new-session/new-session.tsx';
import { Sidebar } from '../sidebar/sidebar.tsx';
import { ViewWaiting } from '../view-frame/view-frame.tsx';
import { Announcer } from './announcer.tsx';
import { LinkBar } from './link-bar.tsx';
import { useShellKeys } from './use-shell-keys.ts';
import './shell.css';

// Views that most windows never open are chunks of their own.
const Approvals = lazy(() =>
  import('../approvals/approvals.tsx').then((chunk) => ({ default: chunk.Approvals })),
);
const Doctor = lazy(() => import('../doctor/doctor.tsx').then((chunk) => ({ default: chunk.Doctor })));
const Palette = lazy(() => import('../palette/palette.tsx').then((chunk) => ({ default: chunk.Palette })));
const Search = lazy(() => import('../search/search.tsx').then((chunk) => ({ default: chunk.Search })));
const Settings = lazy(() =>
  import('../settings/settings.tsx').then((chunk) => ({ default: chunk.Settings })),
);
const Usage = lazy(() => import('../usage/usage.tsx').then((chunk) => ({ default: chunk.Usage })));
const Wizard = lazy(() => import('../wizard/wizard.tsx').then((chunk) => ({ default: chunk.Wizard })));

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
  const isPaletteOpen = useWindow((state) => state.isPaletteOpen);
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
            <Suspense fallback={<ViewWaiting fault={null} again={nothing} />}>
              <Pane />
            </Suspense>
          </ErrorBoundary>
        </main>
      )}
      <Help />
      {isPaletteOpen ? (
        <Suspense fallback={null}>
          <Palette />
        </Suspense>
      ) : null}
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
      return <Begin />;
    case 'search':
      return <Search key={pane.session ?? ''} session={pane.session} words={pane.words} />;
    case 'approvals':
      return <Approvals tab={pane.tab} />;
    case 'usage':
      return <Usage />;
    case 'settings':
      return <Settings />;
    case 'doctor':
      return <Doctor />;
    case 'none':
      return <p className="centre tone-muted">{text.groups.noneAsk}</p>;
  }
}

/** The first session of an owner is begun step by step; every other one by a form. */
function Begin(): ReactNode {
  const isFirst = useWindow((state) => state.home?.sessions.length === 0 && may(state, 'owner'));
  const [isPlain, setPlain] = useState(false);
  return isFirst && !isPlain ? <Wizard onPlainForm={() => setPlain(true)} /> : <NewSession />;
}

const nothing = (): void => undefined;

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
