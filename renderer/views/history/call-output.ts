import { type AnyEvent, isKnownEvent } from '../../../shared/domain/events.ts';

/** Lines of a long output that are shown at its beginning and at its end (ux.md section 6). */
const edgeLines = 10;

/** The whole result of a call as it is stored, null while it has none or where its event is not loaded. */
export function callOutput(events: readonly AnyEvent[], call: string): string | null {
  const ended = events.findLast(
    (event) => isKnownEvent(event) && event.type === 'call.ended' && event.body.call === call,
  );
  return ended !== undefined && isKnownEvent(ended) && ended.type === 'call.ended'
    ? ended.body.result.output
    : null;
}

/** A long output by its edges; `hidden`: how many lines are between them, 0 where all of it is in `head`. */
export interface OutputEdges {
  readonly head: string;
  readonly tail: string;
  readonly hidden: number;
}

/** The first and the last ten lines; a little more than that is not worth a gap. */
export function outputEdges(output: string): OutputEdges {
  const lines = output.replace(/\n$/, '').split('\n');
  const hidden = lines.length - 2 * edgeLines;
  if (hidden <= 2) return { head: lines.join('\n'), tail: '', hidden: 0 };
  return { head: lines.slice(0, edgeLines).join('\n'), tail: lines.slice(-edgeLines).join('\n'), hidden };
}
