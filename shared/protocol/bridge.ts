import * as z from 'zod/mini';
import { anyEventSchema } from '../domain/events.ts';
import { promptViewSchema, verdictOutcomeSchema, verdictSchema } from '../domain/prompts.ts';
import { permissionModeSchema, sessionKindSchema, sessionStateSchema } from '../domain/sessions.ts';

/** Version of the bridge; `hello` carries it. A newer client offers a restart of the daemon. */
export const bridgeVersion = 1;

/** Limits, in bytes of UTF-8. A longer message belongs in a file. */
export const limits = {
  messageBytes: 256 * 1024,
  bodyBytes: 1024 * 1024,
  frameBytes: 256 * 1024,
  pageMax: 1000,
  page: 100,
} as const;

/** What a token may do. `owner` includes the others. */
export const scopeSchema = z.enum(['read', 'send', 'approve', 'owner']);
export type Scope = z.infer<typeof scopeSchema>;

/** A session as lists show it. `pid` null when no worker runs it. Times are wall ms. */
export const sessionViewSchema = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  kind: sessionKindSchema,
  state: sessionStateSchema,
  pid: z.nullable(z.number()),
  dir: z.string(),
  mode: permissionModeSchema,
  model: z.string(),
  createdAt: z.number(),
  lastActivity: z.number(),
  seq: z.number(),
  openPrompts: z.number(),
  pending: z.number(),
  paused: z.boolean(),
  parked: z.nullable(z.object({ code: z.string(), reason: z.string(), at: z.number() })),
  /** Wall ms of the next alarm, null when none. */
  nextWakeAt: z.nullable(z.number()),
  /** What it does right now ("Bash"), for people. */
  doing: z.nullable(z.string()),
  background: z.number(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

/** Something a person should know that is wrong now; gone when mended. `code` is stable. */
export const problemSchema = z.object({ code: z.string(), message: z.string(), next: z.string(), since: z.number() });
export type Problem = z.infer<typeof problemSchema>;

/** Snapshot of topic `home`. */
export const homeViewSchema = z.object({
  sessions: z.array(sessionViewSchema),
  prompts: z.array(promptViewSchema),
  problems: z.array(problemSchema),
  paused: z.boolean(),
  usage: z.object({ dayMicroUsd: z.number(), limitMicroUsd: z.nullable(z.number()) }),
  daemon: z.object({ version: z.string(), pid: z.number(), startedAt: z.number(), safe: z.nullable(z.string()) }),
});
export type HomeView = z.infer<typeof homeViewSchema>;

/** A change of `home`; each replaces what it names. */
export const homeChangeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), session: sessionViewSchema }),
  z.object({ type: z.literal('session_gone'), id: z.string() }),
  z.object({ type: z.literal('prompt'), prompt: promptViewSchema }),
  z.object({ type: z.literal('problems'), problems: z.array(problemSchema) }),
  z.object({ type: z.literal('paused'), paused: z.boolean() }),
  z.object({ type: z.literal('usage'), dayMicroUsd: z.number(), limitMicroUsd: z.nullable(z.number()) }),
]);
export type HomeChange = z.infer<typeof homeChangeSchema>;

/** The reply that is being made right now; lossy, ended by `step.replied` or `step.abandoned`. */
export const draftSchema = z.object({
  step: z.string(),
  parts: z.array(z.object({ kind: z.enum(['text', 'thinking', 'call']), text: z.string() })),
});
export type Draft = z.infer<typeof draftSchema>;

/** Snapshot of topic `session:<id>`: the newest page of events, oldest first, and what is going on. */
export const sessionSnapshotSchema = z.object({
  session: sessionViewSchema,
  events: z.array(anyEventSchema),
  /** False when the first event of the session is in `events`. */
  older: z.boolean(),
  prompts: z.array(promptViewSchema),
  draft: z.nullable(draftSchema),
});
export type SessionSnapshot = z.infer<typeof sessionSnapshotSchema>;

/** A place in a topic. `home` numbers live as long as the daemon (`epoch`); a session's number is its event's seq (epoch ""). */
export const placeSchema = z.object({ epoch: z.string(), seq: z.number() });
export type Place = z.infer<typeof placeSchema>;

/** Client -> daemon over WebSocket. The first frame is `hello` with a one-time ticket. */
export const clientFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), ticket: z.string(), version: z.number(), client: z.string() }),
  z.object({ type: z.literal('subscribe'), topic: z.string(), from: z.optional(placeSchema) }),
  z.object({ type: z.literal('unsubscribe'), topic: z.string() }),
  /** This viewer shows (or types into) a session: a worker may be started early. */
  z.object({ type: z.literal('focus'), session: z.nullable(z.string()), typing: z.boolean() }),
  z.object({ type: z.literal('ping'), n: z.number() }),
]);
export type ClientFrame = z.infer<typeof clientFrameSchema>;

/** Daemon -> client over WebSocket. */
export const serverFrameSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    version: z.number(),
    daemon: z.string(),
    scopes: z.array(scopeSchema),
    device: z.string(),
  }),
  z.object({ type: z.literal('snapshot'), topic: z.string(), place: placeSchema, view: z.unknown() }),
  /** After `from` nothing was missed: only the tail follows. */
  z.object({ type: z.literal('resumed'), topic: z.string(), place: placeSchema }),
  z.object({ type: z.literal('change'), topic: z.string(), place: placeSchema, change: homeChangeSchema }),
  z.object({ type: z.literal('event'), topic: z.string(), place: placeSchema, event: anyEventSchema }),
  /** The event is larger than a frame: fetch it as a page. */
  z.object({ type: z.literal('large_event'), topic: z.string(), place: placeSchema }),
  z.object({ type: z.literal('session'), topic: z.string(), session: sessionViewSchema }),
  z.object({ type: z.literal('prompt'), topic: z.string(), prompt: promptViewSchema }),
  z.object({
    type: z.literal('draft'),
    topic: z.string(),
    step: z.string(),
    part: z.number(),
    kind: z.enum(['text', 'thinking', 'call']),
    offset: z.number(),
    text: z.string(),
  }),
  z.object({ type: z.literal('draft_ended'), topic: z.string(), step: z.string() }),
  /** This viewer fell behind or the topic is gone: subscribe again for a snapshot. */
  z.object({ type: z.literal('resync'), topic: z.string(), reason: z.string() }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string(), topic: z.optional(z.string()) }),
  z.object({ type: z.literal('pong'), n: z.number() }),
]);
export type ServerFrame = z.infer<typeof serverFrameSchema>;

/** HTTP bodies, by route (see electron/daemon/viewers/README.md for the table of routes and scopes). */
export const sendBodySchema = z.strictObject({
  text: z.string(),
  uuid: z.string(),
  /** Id or name. Absent: a new unnamed session. A name that does not exist makes it. */
  session: z.optional(z.string()),
  dir: z.optional(z.string()),
  mode: z.optional(permissionModeSchema),
  model: z.optional(z.string()),
  queue: z.optional(z.enum(['next_step', 'after_turn', 'replace'])),
});
export type SendBody = z.infer<typeof sendBodySchema>;

export const messageStateSchema = z.enum(['settled', 'working', 'asking', 'parked']);
export type MessageState = z.infer<typeof messageStateSchema>;

export const messageAnswerSchema = z.object({
  session: z.string(),
  message: z.string(),
  state: messageStateSchema,
  settledBy: z.nullable(z.string()),
  replies: z.array(z.object({ text: z.string(), status: z.enum(['normal', 'proactive']) })),
  duplicate: z.boolean(),
});
export type MessageAnswer = z.infer<typeof messageAnswerSchema>;

export const newSessionBodySchema = z.strictObject({
  name: z.optional(z.string()),
  dir: z.optional(z.string()),
  kind: z.optional(sessionKindSchema),
  mode: z.optional(permissionModeSchema),
  model: z.optional(z.string()),
});
export const renameBodySchema = z.strictObject({ name: z.string() });
export const modeBodySchema = z.strictObject({ mode: permissionModeSchema });
export const verdictBodySchema = z.strictObject({ verdict: verdictSchema });
export const verdictAnswerSchema = z.object({ outcome: verdictOutcomeSchema, by: z.nullable(z.string()), message: z.string() });
export type VerdictAnswer = z.infer<typeof verdictAnswerSchema>;
export const deviceBodySchema = z.strictObject({ name: z.string(), scopes: z.array(scopeSchema) });
export const ruleBodySchema = z.strictObject({ effect: z.enum(['allow', 'ask', 'deny']), rule: z.string() });

/** Every HTTP error: what happened and what to do next. */
export const errorBodySchema = z.object({ error: z.object({ code: z.string(), message: z.string(), next: z.string() }) });
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** `daemon.json` in the home (0600): how programs of the same user find the bridge. */
export const daemonFileSchema = z.object({
  pid: z.number(),
  startTime: z.string(),
  port: z.number(),
  url: z.string(),
  token: z.string(),
  version: z.string(),
  supervisorPid: z.nullable(z.number()),
  safe: z.nullable(z.string()),
});
export type DaemonFile = z.infer<typeof daemonFileSchema>;
