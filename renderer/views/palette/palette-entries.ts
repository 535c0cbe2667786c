import { groupSessions, sessionTitle } from '../../store/session-order.ts';
import type { Pane, WindowState } from '../../store/window-state.ts';
import { may } from '../../store/window-state.ts';
import type { IconName } from '../../ui/icons.tsx';
import { stateLook } from '../../ui/state-look.ts';
import type { WindowText } from '../../text/window-text.ts';

/** What choosing an entry does. */
export type PaletteAct =
  | { readonly kind: 'show'; readonly pane: Pane }
  | { readonly kind: 'pauseAll'; readonly paused: boolean }
  | { readonly kind: 'detail' }
  | { readonly kind: 'help' };

/** One line of the palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly icon: IconName;
  readonly tone: string;
  readonly title: string;
  readonly detail: string;
  readonly act: PaletteAct;
}

/** Lines that are shown at once; who wants another one types more. */
const mostShown = 12;

/** What fits the typed words, sessions that need the person first; last, the search for the words themselves. */
export function paletteEntries(text: WindowText, state: WindowState, typed: string): readonly PaletteEntry[] {
  const words = typed.trim().toLowerCase().split(/\s+/);
  const fits = ({ title, detail }: PaletteEntry): boolean =>
    words.every((word) => `${title} ${detail}`.toLowerCase().includes(word));
  const found = [
    ...sessionEntries(text, state),
    ...viewEntries(text, state),
    ...actEntries(text, state),
  ].filter(fits);
  const shown = found.slice(0, mostShown);
  return typed.trim() === '' ? shown : [...shown, searchEntry(text, typed.trim())];
}

function sessionEntries(text: WindowText, { home }: WindowState): PaletteEntry[] {
  const { asking, working, rest } = groupSessions(home?.sessions ?? []);
  return [...asking, ...working, ...rest].map((session) => ({
    key: session.id,
    ...stateLook(session),
    title: sessionTitle(session),
    detail: text.views.palette.session,
    act: { kind: 'show', pane: { kind: 'session', id: session.id } },
  }));
}

function viewEntries(text: WindowText, state: WindowState): PaletteEntry[] {
  const { nav, palette } = text.views;
  const view = (icon: IconName, title: string, pane: Pane): PaletteEntry => ({
    key: `view ${pane.kind}`,
    icon,
    tone: 'muted',
    title,
    detail: palette.view,
    act: { kind: 'show', pane },
  });
  const everybody = [
    view('search', nav.search, { kind: 'search', session: null, words: '' }),
    view('shield', nav.approvals, { kind: 'approvals', tab: 'pending' }),
    view('chart', nav.usage, { kind: 'usage' }),
    view('pulse', nav.doctor, { kind: 'doctor' }),
  ];
  if (!may(state, 'owner')) return everybody;
  return [...everybody, view('gear', nav.settings, { kind: 'settings' })];
}

function actEntries(text: WindowText, state: WindowState): PaletteEntry[] {
  const entry = (icon: IconName, title: string, act: PaletteAct): PaletteEntry => ({
    key: `act ${title}`,
    icon,
    tone: 'muted',
    title,
    detail: text.views.palette.act,
    act,
  });
  const everybody = [
    entry('chat', text.history.detailHint, { kind: 'detail' }),
    entry('keyboard', text.sidebar.help, { kind: 'help' }),
  ];
  if (!may(state, 'owner')) return everybody;
  const paused = state.home?.paused ?? false;
  return [
    entry('plus', text.sidebar.newSession, { kind: 'show', pane: { kind: 'new' } }),
    entry(paused ? 'play' : 'paused', paused ? text.sidebar.resumeAll : text.sidebar.pauseAll, {
      kind: 'pauseAll',
      paused: !paused,
    }),
    ...everybody,
  ];
}

function searchEntry(text: WindowText, words: string): PaletteEntry {
  return {
    key: 'search for',
    icon: 'search',
    tone: 'muted',
    title: text.views.palette.searchFor(words),
    detail: '',
    act: { kind: 'show', pane: { kind: 'search', session: null, words } },
  };
}
