import * as z from 'zod/mini';

/** A tool as the model is told about it; `schema` is JSON Schema. */
export const toolTextSchema = z.object({
  name: z.string(),
  description: z.string(),
  schema: z.unknown(),
});
export type ToolText = z.infer<typeof toolTextSchema>;

/** What is pinned to a session (design 15): the stable part of every request, stored content-addressed as canonical JSON. */
export const frameSchema = z.object({
  /** The build that made it; another build makes its own. */
  build: z.string(),
  /** `ref` of the model it was made for. */
  model: z.string(),
  /** The session was in brief mode: all that people read goes through SendUserMessage. */
  brief: z.boolean(),
  system: z.string(),
  /** Tools that are named in every request. */
  tools: z.array(toolTextSchema),
  /** Tools that are reached through FindTools and UseTool. */
  deferred: z.array(toolTextSchema),
  /** Digest of the instruction files in `system`; empty or absent: there were none. */
  instructions: z.optional(z.string()),
});
export type Frame = z.infer<typeof frameSchema>;
