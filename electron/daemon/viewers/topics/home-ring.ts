import type { HomeChange, Place } from '../../../../shared/protocol/bridge.ts';
import { frameText } from './viewer.ts';

/** Changes that a viewer may have missed and still resume. */
const kept = 1_000;

interface Numbered {
  readonly seq: number;
  readonly frame: string;
}

/** The numbered changes of topic `home` since this daemon started, the newest 1,000 as text. */
export interface HomeRing {
  readonly place: Place;
  /** Numbers a change and gives its frame. */
  add(change: HomeChange): string;
  /** The frames after a place, oldest first; null when they are not all here any more. */
  after(place: Place): readonly string[] | null;
  /** Changes were not recorded: nobody can resume from an earlier place. */
  skip(): void;
}

/** A ring under an `epoch` that no earlier daemon used. */
export function createHomeRing(epoch: string): HomeRing {
  let seq = 0;
  let ring: Numbered[] = [];
  return {
    get place() {
      return { epoch, seq };
    },
    add(change) {
      seq += 1;
      const frame = frameText({ type: 'change', topic: 'home', place: { epoch, seq }, change });
      ring.push({ seq, frame });
      // Trimmed in large steps: dropping the first of 1,000 for each change would move all others.
      if (ring.length >= 2 * kept) ring = ring.slice(-kept);
      return frame;
    },
    after(place) {
      if (place.epoch !== epoch || place.seq > seq) return null;
      const missed = seq - place.seq;
      if (missed > Math.min(kept, ring.length)) return null;
      return missed === 0 ? [] : ring.slice(-missed).map(({ frame }) => frame);
    },
    skip() {
      seq += 1;
      ring = [];
    },
  };
}
