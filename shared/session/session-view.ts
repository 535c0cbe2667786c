import { assertNever } from '../base/assert-never.ts';
import { type AnyEvent, isKnownEvent } from '../domain/events.ts';
import type { PromptView } from '../domain/prompts.ts';
import { putById, sortById } from './home-view.ts';
import type { SessionView } from './home-view-schema.ts';
import { addDraftPiece, type DraftFrame } from './session-view-draft.ts';
import { foldEvents } from './session-view-fold.ts';
import { promptEnd } from './session-view-fold-message.ts';
import type { SessionItem } from './session-view-items.ts';
import type { Draft, SessionSnapshot } from './session-view-schema.ts';

/** How far back the end of a step is looked for when a piece of its draft arrives. */
const recentEvents = 50;

/** What a viewer knows of a session. `events` are sorted by seq, each once; between them may be holes (see `missingSeqs`). */
export interface SessionPageView {
  readonly session: SessionView;
  readonly events: readonly AnyEvent[];
  /** Made of `events` alone. */
  readonly items: readonly SessionItem[];
  /** Prompts seen, each in its newest state, sorted by id. */
  readonly prompts: readonly PromptView[];
  readonly draft: Draft | null;
  /** Pieces of the draft were lost: subscribe again, or wait for the committed reply. */
  readonly draftGap: boolean;
  /** Seq of the newest event that is known to exist: the place to resume from. */
  readonly seq: number;
}

/** The frames of topic `session:<id>` that change its view. */
export type SessionChange =
  | { readonly type: 'event'; readonly event: AnyEvent }
  | { readonly type: 'large_event'; readonly place: { readonly seq: number } }
  | { readonly type: 'session'; readonly session: SessionView }
  | { readonly type: 'prompt'; readonly prompt: PromptView }
  | ({ readonly type: 'draft' } & DraftFrame)
  | { readonly type: 'draft_ended'; readonly step: string };

/** The view of a snapshot; `seq` is its place. */
export function openSession(snapshot: SessionSnapshot, seq: number): SessionPageView {
  const { session, prompts, draft } = snapshot;
  const empty = { session, events: [], items: [], prompts: sortById(prompts), draft, draftGap: false, seq };
  return addPage(empty, snapshot.events);
}

/** Adds events of any page, in any order; those that are known already change nothing. */
export function addPage(view: SessionPageView, page: readonly AnyEvent[]): SessionPageView {
  const sorted = page.toSorted((left, right) => left.seq - right.seq);
  const newest = view.events.at(-1)?.seq ?? 0;
  const oldest = view.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const fresh = sorted.filter((event, index) => event.seq !== sorted[index - 1]?.seq);
  if (fresh[0] === undefined) return view;
  if (fresh[0].seq > newest) return closeByEvents(withTail(view, fresh), fresh);
  const unknown = fresh.filter((event) => event.seq < oldest || !holds(view.events, event.seq));
  if (unknown.length === 0) return view;
  const events = merge(unknown, view.events);
  const seq = Math.max(view.seq, events.at(-1)?.seq ?? 0);
  return closeByEvents({ ...view, events, items: foldEvents([], events), seq }, unknown);
}

function withTail(view: SessionPageView, fresh: readonly AnyEvent[]): SessionPageView {
  const events = [...view.events, ...fresh];
  const seq = Math.max(view.seq, fresh.at(-1)?.seq ?? 0);
  return { ...view, events, items: foldEvents(view.items, fresh), seq };
}

function merge(left: readonly AnyEvent[], right: readonly AnyEvent[]): AnyEvent[] {
  return [...left, ...right].sort((one, other) => one.seq - other.seq);
}

function holds(events: readonly AnyEvent[], seq: number): boolean {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return events[low]?.seq === seq;
}

/** Events end drafts and prompts too: their own frames may come a little later, or were missed while away. */
function closeByEvents(view: SessionPageView, fresh: readonly AnyEvent[]): SessionPageView {
  let { draft, draftGap, prompts } = view;
  for (const event of fresh) {
    if (!isKnownEvent(event)) continue;
    switch (event.type) {
      case 'step.replied':
      case 'step.abandoned':
        if (draft === null || draft.step === event.body.step) [draft, draftGap] = [null, false];
        break;
      case 'prompt.decided':
      case 'prompt.expired':
      case 'prompt.withdrawn': {
        const known = prompts.find((prompt) => prompt.id === event.body.prompt);
        if (known?.state === 'open') prompts = putById(prompts, { ...known, ...promptEnd(event) });
        break;
      }
      default:
      // No other event ends a draft or a prompt.
    }
  }
  return { ...view, draft, draftGap, prompts };
}

/** The next view. Repeated frames change nothing; an unknown event type is kept and shown as such. */
export function reduceSession(view: SessionPageView, change: SessionChange): SessionPageView {
  switch (change.type) {
    case 'event':
      return addPage(view, [change.event]);
    case 'large_event':
      return { ...view, seq: Math.max(view.seq, change.place.seq) };
    case 'session':
      return { ...view, session: change.session };
    case 'prompt':
      return withPrompt(view, change.prompt);
    case 'draft':
      return withDraft(view, change);
    case 'draft_ended':
      return view.draft === null || view.draft.step === change.step
        ? { ...view, draft: null, draftGap: false }
        : view;
    default:
      return assertNever(change, 'session change');
  }
}

/** A prompt never opens again: an older frame that arrives after its end is dropped. */
function withPrompt(view: SessionPageView, prompt: PromptView): SessionPageView {
  const ended =
    view.prompts.some((known) => known.id === prompt.id && known.state !== 'open') ||
    view.items.some((item) => item.kind === 'prompt' && item.prompt === prompt.id && item.state !== 'open');
  return ended && prompt.state === 'open' ? view : { ...view, prompts: putById(view.prompts, prompt) };
}

/** True when the newest steps that are loaded include the end of this one: a late piece must not bring its draft back. */
function hasEnded(events: readonly AnyEvent[], step: string): boolean {
  const recent = events.slice(-recentEvents);
  return recent.some(
    (event) =>
      isKnownEvent(event) &&
      (event.type === 'step.replied' || event.type === 'step.abandoned') &&
      event.body.step === step,
  );
}

function withDraft(view: SessionPageView, piece: DraftFrame): SessionPageView {
  if (hasEnded(view.events, piece.step)) return view;
  const change = addDraftPiece(view.draft, piece);
  return change.kind === 'gap'
    ? { ...view, draftGap: true }
    : {
        ...view,
        draft: change.draft,
        draftGap: piece.offset === 0 && piece.part === 0 ? false : view.draftGap,
      };
}

/** `before` of the next older page, or null when the first event is loaded. */
export function olderThan(view: SessionPageView): number | null {
  const oldest = view.events[0]?.seq ?? view.seq + 1;
  return oldest <= 1 ? null : oldest;
}

/** Events that exist, are newer than the oldest loaded one, and are not loaded (too large for a frame): fetch them as pages. */
export function missingSeqs(view: SessionPageView): number[] {
  const missing: number[] = [];
  let expected = view.events[0]?.seq ?? view.seq;
  for (const { seq } of [...view.events, { seq: view.seq + 1 }]) {
    for (; expected < seq; expected += 1) missing.push(expected);
    expected = seq + 1;
  }
  return missing;
}
