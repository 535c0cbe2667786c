import type { Place, ServerFrame } from '../protocol/bridge.ts';

/**
 * Where a topic stands after a frame, or null when the frame does not move it. A snapshot of `home` that came in several frames
 * carries its place on the last one only; until then there is nothing to resume from.
 */
export function placeAfter(frame: ServerFrame): { topic: string; place: Place | undefined } | null {
  switch (frame.type) {
    case 'snapshot':
    case 'resumed':
    case 'change':
    case 'event':
    case 'large_event': {
      const { topic, place } = frame;
      return { topic, place: topic === 'home' && place.epoch === '' ? undefined : place };
    }
    default:
      return null;
  }
}
