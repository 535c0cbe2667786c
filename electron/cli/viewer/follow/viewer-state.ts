import type { PromptView } from '../../../../shared/domain/prompts.ts';
import type { HomeView, VerdictAnswer } from '../../../../shared/protocol/bridge.ts';
import type { SessionPageView } from '../../../../shared/session/session-view.ts';
import type { Followed } from '../../../../shared/viewing/apply-frame.ts';
import type { Fault } from '../../../../shared/viewing/fault.ts';
import type { Link } from '../../../../shared/viewing/link.ts';
import type { UnsentMessage } from '../../../../shared/viewing/unsent-message.ts';

/** What became of a verdict given here. */
export type VerdictProgress =
  | { readonly kind: 'sending' }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'answered'; readonly answer: VerdictAnswer };

/** Older pages: nothing on its way, one is, or why it did not come. */
export type OlderPages =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading'; readonly since: number }
  | { readonly kind: 'failed'; readonly fault: Fault };

/** Everything the viewer knows. Fed by snapshot and tail of the bridge, and by what the person does here. */
export interface ViewerState extends Followed {
  readonly link: Link;
  readonly session: string;
  /** This viewer's device, to tell its own answers from others'. */
  readonly device: string | null;
  readonly older: OlderPages;
  readonly verdicts: Readonly<Record<string, VerdictProgress>>;
  /** Prompts read whole over HTTP because frames cut them, by id. */
  readonly wholePrompts: Readonly<Record<string, PromptView>>;
  /** Why the daemon does not let the session be followed now (safe mode); null while it does. */
  readonly problem: string | null;
  /** The session is not there (any more). */
  readonly isGone: boolean;
}

/** A viewer that has not connected yet. */
export function emptyViewer(session: string): ViewerState {
  return {
    link: { kind: 'connecting' },
    session,
    device: null,
    home: null,
    pages: {},
    unsent: [],
    older: { kind: 'none' },
    verdicts: {},
    wholePrompts: {},
    problem: null,
    isGone: false,
  };
}

/** The followed session, once its snapshot came. */
export function pageOf({
  pages,
  session,
}: Pick<ViewerState, 'pages' | 'session'>): SessionPageView | undefined {
  return pages[session];
}

/** What a person can do in a viewer; no act of an owner is among it. */
export interface ViewerActs {
  send(text: string): void;
  decide(prompt: string, verdict: NonNullable<PromptView['verdict']>): void;
  /** Loads the next older page, unless one is on its way or the first event is loaded. */
  loadOlder(): void;
  /** Reads a prompt whole that frames cut. */
  readWhole(prompt: string): void;
  /** Says that somebody types, so that the session can wake early. */
  typing(): void;
}

export type { HomeView, UnsentMessage };
