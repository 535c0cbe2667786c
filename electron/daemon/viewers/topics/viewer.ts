import { limits, type ServerFrame } from '../../../../shared/protocol/bridge.ts';

/** One subscription of a connected viewer, as topics see it. Frames are made to text once and given to every viewer. */
export interface Viewer {
  /** True once it unsubscribed or went away: it must not join a topic any more. */
  readonly gone: boolean;
  /** Queues a frame. A viewer that is too far behind is told to resync and closed instead; it then leaves every topic. */
  send(frame: string): void;
  /** Queues a frame that may be lost; false when it was. */
  sendDraft(frame: string): boolean;
}

/** The text of a frame. */
export function frameText(frame: ServerFrame): string {
  return JSON.stringify(frame);
}

/** True when a text fits into one frame (UTF-8 bytes); short texts are not measured byte by byte. */
export function fitsFrame(text: string): boolean {
  if (text.length * 3 <= limits.frameBytes) return true;
  return text.length <= limits.frameBytes && Buffer.byteLength(text) <= limits.frameBytes;
}
