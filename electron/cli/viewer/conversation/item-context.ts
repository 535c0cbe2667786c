import type { TurnItem } from '../../../../shared/session/session-view-items.ts';
import { localTime } from '../../output/times.ts';

/** What the rows of an item depend on besides itself. */
export interface ItemContext {
  readonly columns: number;
  readonly isDetailed: boolean;
  /** This viewer's device, to tell its own answers from others'. */
  readonly device: string | null;
  /** Wall ms; decides whether a time is told with its date. */
  readonly now: number;
  /** The turn an item belongs to, where its beginning is loaded. */
  turn(id: string): TurnItem | undefined;
}

const day = 24 * 60 * 60 * 1000;

/** `09:02`, with its date where that is not today's. */
export function momentText(at: number, now: number): string {
  return Math.abs(now - at) < day ? localTime(at).slice(11) : localTime(at);
}
