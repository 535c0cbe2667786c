import { canonicalJson } from '../../../shared/base/json.ts';
import { type Frame, frameSchema } from '../../../shared/domain/frames.ts';
import type { FramePort, SessionPort } from './ports.ts';

/** The pinned frame as long as it fits (same build, model and brief mode); otherwise a new one, pinned now. */
export async function pinnedFrame(port: SessionPort, frames: FramePort): Promise<Frame> {
  const { frame, frameContent } = port.lease;
  const pinned = frame === null || frameContent === null ? null : parse(frameContent);
  return pinned !== null && frames.fits(pinned) ? pinned : pinNew(port, frames);
}

/** Makes the frame as things are now and pins it. */
export async function pinNew(port: SessionPort, frames: FramePort): Promise<Frame> {
  const made = await frames.make();
  await port.ask('pinFrame', { content: canonicalJson(made) });
  return made;
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
