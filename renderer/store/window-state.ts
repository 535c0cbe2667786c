import type { PromptView } from '../../shared/domain/prompts.ts';
import type { HomeView, Scope, VerdictAnswer } from '../../shared/protocol/bridge.ts';
import type { SessionPageView } from '../../shared/session/session-view.ts';
import type { Fault } from '../../shared/viewing/fault.ts';
import type { UnsentMessage } from '../../shared/viewing/unsent-message.ts';
import type { Link } from '../../shared/viewing/link.ts';
import type { PastView } from './past.ts';

/** What the large pane shows. */
export type Pane =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'new' }
  /** Full-text search; `session`: in it alone. */
  | { readonly kind: 'search'; readonly session: string | null; readonly words: string }
  | { readonly kind: 'approvals'; readonly tab: 'pending' | 'decided' | 'rules' }
  | { readonly kind: 'usage' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'doctor' };

/** What became of a verdict given in this window. */
export type VerdictProgress =
  | { readonly kind: 'sending' }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'answered'; readonly answer: VerdictAnswer };

/** Older pages of a session that are on their way, or why they did not come. */
export type OlderPages =
  | { readonly kind: 'loading'; readonly since: number }
  | { readonly kind: 'failed'; readonly fault: Fault };

/** Everything the window shows. Fed by snapshot and tail of the bridge, and by what the person does here. */
export interface WindowState {
  readonly link: Link;
  readonly scopes: readonly Scope[];
  /** This window's device, to tell its own answers from others'. */
  readonly device: string | null;
  readonly home: HomeView | null;
  /** Sessions that were opened, by id; the one in the pane is followed. */
  readonly pages: Readonly<Record<string, SessionPageView>>;
  readonly pane: Pane;
  readonly unsent: readonly UnsentMessage[];
  readonly older: Readonly<Record<string, OlderPages>>;
  /** Stretches of histories away from their ends, by session; shown instead of the session's own page. */
  readonly past: Readonly<Record<string, PastView>>;
  /** An event that the open session shall show next. */
  readonly goingTo: { readonly session: string; readonly seq: number } | null;
  /** The row that was gone to last; it is marked. */
  readonly found: { readonly session: string; readonly seq: number } | null;
  readonly verdicts: Readonly<Record<string, VerdictProgress>>;
  /** Prompts read whole over HTTP because frames cut them, by id. */
  readonly wholePrompts: Readonly<Record<string, PromptView>>;
  /** The last act of the person that failed. */
  readonly fault: Fault | null;
  readonly isDetailed: boolean;
  readonly isHelpOpen: boolean;
  readonly isPaletteOpen: boolean;
}

/** A window that has not connected yet. */
export const emptyWindow: WindowState = {
  link: { kind: 'locked' },
  scopes: [],
  device: null,
  home: null,
  pages: {},
  pane: { kind: 'none' },
  unsent: [],
  older: {},
  past: {},
  goingTo: null,
  found: null,
  verdicts: {},
  wholePrompts: {},
  fault: null,
  isDetailed: false,
  isHelpOpen: false,
  isPaletteOpen: false,
};

/** The session in the pane, or null. */
export function openSessionId({ pane }: Pick<WindowState, 'pane'>): string | null {
  return pane.kind === 'session' ? pane.id : null;
}

/** True when this window's token allows it; `owner` includes the others. */
export function may({ scopes }: Pick<WindowState, 'scopes'>, scope: Scope): boolean {
  return scopes.includes('owner') || scopes.includes(scope);
}
