import type { AnyEvent } from '../../shared/domain/events.ts';
import type { SessionPageView } from '../../shared/session/session-view.ts';
import { foldEvents } from '../../shared/session/session-view-fold.ts';
import type { SessionItem } from '../../shared/session/session-view-items.ts';

/**
 * A stretch of a long history away from its end: events without a hole, and what they look like. It is bounded, so that going
 * through a million events costs the same everywhere; whoever comes down to the loaded end is back on the session's own page.
 */
export interface PastView {
  readonly events: readonly AnyEvent[];
  readonly items: readonly SessionItem[];
}

/** Events a stretch holds, and how many one page of it fetches. */
export const pastMost = 1_500;
export const pastPage = 250;
/** A session's own page is left for a stretch when it holds so many events, and is shortened to `liveKept` at its end. */
export const liveMost = 2_000;
export const liveKept = 1_000;

const bySeq = (left: AnyEvent, right: AnyEvent): number => left.seq - right.seq;

/** The stretch of these events, in any order. */
export function pastOf(events: readonly AnyEvent[]): PastView {
  const sorted = events.toSorted(bySeq);
  return { events: sorted, items: foldEvents([], sorted) };
}

/** The stretch with an older page before it; what is far below goes. */
export function withOlderPage(events: readonly AnyEvent[], page: readonly AnyEvent[]): PastView {
  const first = events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const older = page.filter(({ seq }) => seq < first).toSorted(bySeq);
  return pastOf([...older, ...events].slice(0, pastMost));
}

/** The stretch with a newer page behind it; what is far above goes. */
export function withNewerPage(events: readonly AnyEvent[], page: readonly AnyEvent[]): PastView {
  const last = events.at(-1)?.seq ?? 0;
  const newer = page.filter(({ seq }) => seq > last).toSorted(bySeq);
  return pastOf([...events, ...newer].slice(-pastMost));
}

/** True when nothing lies between the stretch and the session's own page. */
export function touches({ events }: PastView, page: SessionPageView): boolean {
  return (events.at(-1)?.seq ?? 0) + 1 >= (page.events[0]?.seq ?? page.seq + 1);
}

/** A page with its newest events only; what is older is loaded again when somebody goes there. */
export function shortened(page: SessionPageView, most: number): SessionPageView {
  if (page.events.length <= most) return page;
  const events = page.events.slice(-most);
  return { ...page, events, items: foldEvents([], events) };
}
