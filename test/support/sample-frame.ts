import type { Frame } from '../../shared/domain/frames.ts';

/** A frame with the given system text and no tools. */
export function sampleFrame(system: string, model = 'offline'): Frame {
  return { build: 'test', model, brief: true, system, tools: [], deferred: [] };
}
