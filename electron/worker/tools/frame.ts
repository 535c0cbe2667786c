import * as z from 'zod/mini';
import type { Frame } from '../../../shared/domain/frames.ts';
import type { Tool } from './tool.ts';

const system = [
  'You are Kairos, an always-on colleague on this machine.',
  'Everything the person should read goes through SendUserMessage; other text stays in the log.',
  'Acknowledge in one line when work is needed, then work, then tell the result. Short and concrete.',
  'Every message of a person gets an answer.',
].join('\n');

/** The stable part of the prompt: system text, tool schemas, model and build. */
export function buildFrame(parts: {
  readonly model: string;
  readonly build: string;
  readonly brief: boolean;
  readonly tools: readonly Tool[];
}): Frame {
  const { build, model, brief } = parts;
  const tools = parts.tools.map(({ name, description, schema }) => ({
    name,
    description,
    schema: z.toJSONSchema(schema),
  }));
  return { build, model, brief, system, tools, deferred: [] };
}
