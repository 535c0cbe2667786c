import { canonicalJson } from '../../../shared/base/json.ts';
import { type Frame, frameSchema } from '../../../shared/domain/frames.ts';
import type { FramePort, SessionPort } from './ports.ts';

/** The pinned frame as long as it fits (same build, model and brief mode); otherwise a new one, pinned now. */
export async function pinnedFrame(port: SessionPort, frames: FramePort): Promise<Frame> {
  const { frame, frameContent } = port.lease;
  const pinned = frame === null || frameContent === null ? null : parse(frameContent);
  return pinned !== null && frames.fits(pinned) ? pinned : pinNew(port, frames);
}

/** Makes the frame as things are now and pins it. What is pinned is read back, so that the order of members is that of every later worker. */
export async function pinNew(port: SessionPort, frames: FramePort): Promise<Frame> {
  const content = canonicalJson(await frames.make());
  await port.ask('pinFrame', { content });
  const frame = parse(content);
  if (frame === null) throw new Error('A frame that was made is one.');
  return frame;
}

/** Null for what is no frame of this build's kind: another one is made then. */
function parse(content: string): Frame | null {
  try {
    return frameSchema.safeParse(JSON.parse(content)).data ?? null;
  } catch {
    // Not JSON: a frame of another runner.
    return null;
  }
}
