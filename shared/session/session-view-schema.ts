import * as z from 'zod/mini';
import { anyEventSchema } from '../domain/events.ts';
import { promptViewSchema } from '../domain/prompts.ts';
import { sessionViewSchema } from './home-view-schema.ts';

/** What a part of a draft is; `call` parts hold the tool input as far as it is known. */
export const draftKindSchema = z.enum(['text', 'thinking', 'call']);
export type DraftKind = z.infer<typeof draftKindSchema>;

/** The reply that is being made right now; lossy, ended by `step.replied` or `step.abandoned`. */
export const draftSchema = z.object({
  step: z.string(),
  parts: z.array(z.object({ kind: draftKindSchema, text: z.string() })),
});
export type Draft = z.infer<typeof draftSchema>;

/**
 * Snapshot of topic `session:<id>`: the newest events that fit a frame, oldest first, and what is going on. `events` may be
 * empty when the newest one is larger than a frame; it is then fetched as a page like everything older.
 */
export const sessionSnapshotSchema = z.object({
  session: sessionViewSchema,
  events: z.array(anyEventSchema),
  /** False when the first event of the session is in `events`. */
  older: z.boolean(),
  prompts: z.array(promptViewSchema),
  draft: z.nullable(draftSchema),
});
export type SessionSnapshot = z.infer<typeof sessionSnapshotSchema>;

/** How far a person's message is; `asking` and `parked` are those of its session. */
export const messageStateSchema = z.enum(['settled', 'working', 'asking', 'parked']);
export type MessageState = z.infer<typeof messageStateSchema>;
