import type { Frame } from '../../shared/domain/frames.ts';
import type { FramePort } from '../../electron/worker/agent/ports.ts';

/** A frame with the given system text and no tools. */
export function sampleFrame(system: string, model = 'offline'): Frame {
  return { build: 'test', model, brief: true, system, tools: [], deferred: [] };
}

/** Always this frame; instruction files never change. */
export function fixedFrames(frame: Frame): FramePort {
  return {
    fits: (pinned) =>
      pinned.build === frame.build && pinned.model === frame.model && pinned.brief === frame.brief,
    make: async () => frame,
    news: async () => null,
  };
}
