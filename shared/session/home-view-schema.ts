import * as z from 'zod/mini';
import { promptViewSchema } from '../domain/prompts.ts';
import {
  parkedSchema,
  permissionModeSchema,
  sessionKindSchema,
  sessionStateSchema,
} from '../domain/sessions.ts';

/** A session as lists show it. `pid` null when no worker runs it, and while it sleeps. Times are wall ms. */
export const sessionViewSchema = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  kind: sessionKindSchema,
  state: sessionStateSchema,
  pid: z.nullable(z.number()),
  dir: z.string(),
  mode: permissionModeSchema,
  model: z.string(),
  /** All that people read goes through messages of its own (brief mode); absent from older daemons. */
  brief: z.optional(z.boolean()),
  createdAt: z.number(),
  lastActivity: z.number(),
  seq: z.number(),
  openPrompts: z.number(),
  pending: z.number(),
  paused: z.boolean(),
  parked: z.nullable(parkedSchema),
  /** Wall ms of the next alarm, null when none. */
  nextWakeAt: z.nullable(z.number()),
  /** What it does right now ("Bash"), for people. */
  doing: z.nullable(z.string()),
  background: z.number(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

/** Something a person should know that is wrong now; gone when mended. `code` is stable. */
export const problemSchema = z.object({
  code: z.string(),
  message: z.string(),
  next: z.string(),
  since: z.number(),
});
export type Problem = z.infer<typeof problemSchema>;

/** Snapshot of topic `home`: sessions that are not archived, open prompts, and what concerns the whole daemon. */
export const homeViewSchema = z.object({
  sessions: z.array(sessionViewSchema),
  prompts: z.array(promptViewSchema),
  problems: z.array(problemSchema),
  paused: z.boolean(),
  usage: z.object({ dayMicroUsd: z.number(), limitMicroUsd: z.nullable(z.number()) }),
  daemon: z.object({
    version: z.string(),
    pid: z.number(),
    startedAt: z.number(),
    safe: z.nullable(z.string()),
  }),
});
export type HomeView = z.infer<typeof homeViewSchema>;

/** A change of `home`; each replaces what it names. `sessions` is many `session` changes in one. */
export const homeChangeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), session: sessionViewSchema }),
  z.object({ type: z.literal('sessions'), sessions: z.array(sessionViewSchema) }),
  z.object({ type: z.literal('session_gone'), id: z.string() }),
  z.object({ type: z.literal('prompt'), prompt: promptViewSchema }),
  z.object({ type: z.literal('problems'), problems: z.array(problemSchema) }),
  z.object({ type: z.literal('paused'), paused: z.boolean() }),
  z.object({ type: z.literal('usage'), dayMicroUsd: z.number(), limitMicroUsd: z.nullable(z.number()) }),
]);
export type HomeChange = z.infer<typeof homeChangeSchema>;
