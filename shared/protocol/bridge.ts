import * as z from 'zod/mini';
import { attachmentSchema, lostAttachmentSchema } from '../domain/attachments.ts';
import { budgetNameSchema } from '../domain/budget.ts';
import { anyEventSchema } from '../domain/events.ts';
import { modelPriceSchema } from '../domain/models.ts';
import { promptViewSchema, verdictOutcomeSchema, verdictScopeSchema } from '../domain/prompts.ts';
import { sandboxModeSchema } from '../domain/sandbox.ts';
import { permissionModeSchema, sessionKindSchema } from '../domain/sessions.ts';
import { ruleTextsBodySchema } from './permissions.ts';
import { homeChangeSchema, problemSchema, sessionViewSchema } from '../session/home-view-schema.ts';
import { draftKindSchema, messageStateSchema } from '../session/session-view-schema.ts';

// The views that travel here are made by the pure reducers in `session`, so their shapes live there.
export {
  homeChangeSchema,
  homeViewSchema,
  problemSchema,
  sessionViewSchema,
  type HomeChange,
  type HomeView,
  type Problem,
  type SessionView,
} from '../session/home-view-schema.ts';
export {
  draftSchema,
  messageStateSchema,
  sessionSnapshotSchema,
  type Draft,
  type MessageState,
  type SessionSnapshot,
} from '../session/session-view-schema.ts';

/** Version of the bridge; `hello` carries it. A newer client offers a restart of the daemon. */
export const bridgeVersion = 1;

/** Limits, in bytes of UTF-8. A longer message belongs in a file. */
export const limits = {
  messageBytes: 128 * 1024,
  bodyBytes: 1024 * 1024,
  frameBytes: 256 * 1024,
  pageMax: 1000,
  page: 100,
} as const;

/** What to do with a message that is longer than `limits.messageBytes`. */
export const longMessageNext = 'Put the text into a file and name the file in a short message.';

/** What a token may do. `owner` includes the others. */
export const scopeSchema = z.enum(['read', 'send', 'approve', 'owner']);
export type Scope = z.infer<typeof scopeSchema>;

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
    kind: draftKindSchema,
    offset: z.number(),
    text: z.string(),
  }),
  z.object({ type: z.literal('draft_ended'), topic: z.string(), step: z.string() }),
  /** This viewer fell behind or the topic is gone: subscribe again for a snapshot. */
  z.object({ type: z.literal('resync'), topic: z.string(), reason: z.string() }),
  z.object({
    type: z.literal('error'),
    code: z.string(),
    message: z.string(),
    topic: z.optional(z.string()),
  }),
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
  /** The session is in brief mode from now on, or no longer. */
  brief: z.optional(z.boolean()),
  queue: z.optional(z.enum(['next_step', 'after_turn', 'replace'])),
  /** Of a session that is made with the message; refused for one that exists. */
  rules: z.optional(ruleTextsBodySchema),
  sandbox: z.optional(sandboxModeSchema),
});
export type SendBody = z.infer<typeof sendBodySchema>;

/** How far a message is. `name`: the session's, null when it has none; absent from older daemons. */
export const messageAnswerSchema = z.object({
  session: z.string(),
  name: z.optional(z.nullable(z.string())),
  message: z.string(),
  state: messageStateSchema,
  settledBy: z.nullable(z.string()),
  replies: z.array(
    z.object({
      text: z.string(),
      status: z.enum(['normal', 'proactive']),
      attachments: z.optional(z.array(attachmentSchema)),
      lost: z.optional(z.array(lostAttachmentSchema)),
    }),
  ),
  duplicate: z.boolean(),
  /** The session was made with this message. */
  created: z.optional(z.boolean()),
});
export type MessageAnswer = z.infer<typeof messageAnswerSchema>;

/** `POST sessions`; what is left out gets its default. */
export const newSessionBodySchema = z.strictObject({
  name: z.optional(z.string()),
  dir: z.optional(z.string()),
  kind: z.optional(sessionKindSchema),
  mode: z.optional(permissionModeSchema),
  model: z.optional(z.string()),
  brief: z.optional(z.boolean()),
  rules: z.optional(ruleTextsBodySchema),
  sandbox: z.optional(sandboxModeSchema),
});
/** `POST sessions/:session/brief`. */
export const briefBodySchema = z.strictObject({ brief: z.boolean() });
/** `POST sessions/:session/rename`. */
export const renameBodySchema = z.strictObject({ name: z.string() });
/** `POST sessions/:session/mode`. */
export const modeBodySchema = z.strictObject({ mode: permissionModeSchema });
/** `POST prompts/:prompt/verdict`. */
export const verdictBodySchema = z.strictObject({
  verdict: z.discriminatedUnion('behavior', [
    z.strictObject({ behavior: z.literal('allow'), scope: verdictScopeSchema }),
    z.strictObject({ behavior: z.literal('deny'), reason: z.optional(z.string()) }),
    z.strictObject({
      behavior: z.literal('answer'),
      text: z.string(),
      ownWords: z.optional(z.boolean()),
    }),
  ]),
});
/** What a verdict did; `by`: who decided (first), `message`: one sentence for people. */
export const verdictAnswerSchema = z.object({
  outcome: verdictOutcomeSchema,
  by: z.nullable(z.string()),
  message: z.string(),
});
export type VerdictAnswer = z.infer<typeof verdictAnswerSchema>;
/** `POST devices`. */
export const deviceBodySchema = z.strictObject({ name: z.string(), scopes: z.array(scopeSchema) });

/** A one-time ticket for a WebSocket or a window; its scopes are the asker's or fewer (absent: the same). */
export const ticketBodySchema = z.strictObject({ scopes: z.optional(z.array(scopeSchema)) });
/** A ticket, good once within `expiresInMs`. */
export const ticketAnswerSchema = z.object({
  ticket: z.string(),
  expiresInMs: z.number(),
  scopes: z.array(scopeSchema),
});
export type TicketAnswer = z.infer<typeof ticketAnswerSchema>;
/** `POST tickets/redeem`: a ticket for a device token; `name` is what lists show. */
export const redeemBodySchema = z.strictObject({ ticket: z.string(), name: z.string() });

/** `POST backup`: the absolute path of a folder that does not exist, in one that does. */
export const backupBodySchema = z.strictObject({ to: z.string() });

/** What a backup holds. `missing`: hashes of blobs that the store refers to and that are not there. */
export const backupAnswerSchema = z.object({
  to: z.string(),
  bytes: z.number(),
  blobs: z.number(),
  missing: z.array(z.string()),
});
export type BackupAnswer = z.infer<typeof backupAnswerSchema>;

/** A device as lists show it; its token is told once, when it is made. */
export const deviceViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema),
  createdAt: z.number(),
  lastSeen: z.nullable(z.number()),
  revokedAt: z.nullable(z.number()),
  /** The device that made it, null: the owner token did. It ends with its maker. */
  madeBy: z.nullable(z.string()),
  /** Made of a ticket: removed when nobody uses it for 30 days. */
  window: z.boolean(),
});
export type DeviceView = z.infer<typeof deviceViewSchema>;
/** A new device with its token, which is told this once. */
export const newDeviceAnswerSchema = z.object({ device: deviceViewSchema, token: z.string() });
export type NewDeviceAnswer = z.infer<typeof newDeviceAnswerSchema>;

/** A page of a session's history: newest first, with `after` oldest first; `more`: the page goes on in that direction. */
export const eventPageSchema = z.object({
  session: z.string(),
  events: z.array(anyEventSchema),
  more: z.boolean(),
});
export type EventPage = z.infer<typeof eventPageSchema>;

/** What `GET status` says; enough for the CLI's `status` without the sessions. */
export const statusSchema = z.object({
  bridge: z.number(),
  version: z.string(),
  pid: z.number(),
  supervisorPid: z.nullable(z.number()),
  startedAt: z.number(),
  safe: z.nullable(z.string()),
  url: z.string(),
  home: z.string(),
  paused: z.boolean(),
  sessions: z.number(),
  openPrompts: z.number(),
  viewers: z.number(),
  problems: z.array(problemSchema),
});
export type DaemonStatus = z.infer<typeof statusSchema>;

/** One thing that doctor looked at; `next`: what to do, empty when ok. */
export const doctorCheckSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  next: z.string(),
});
export type DoctorCheck = z.infer<typeof doctorCheckSchema>;

/** What `GET doctor` says. */
export const doctorReportSchema = z.object({
  version: z.string(),
  checks: z.readonly(z.array(doctorCheckSchema)),
});
export type DoctorReport = z.infer<typeof doctorReportSchema>;

/** `POST sessions/:session/model` and `POST models/default`, `POST models/test`: `offline` or `<provider>/<model>`. */
export const modelBodySchema = z.strictObject({ model: z.string() });

/** A provider as lists show it; never its key. `address` without user name and password. */
export const providerViewSchema = z.object({
  name: z.string(),
  wire: z.enum(['anthropic', 'openai']),
  address: z.string(),
  /** Where its key comes from: a variable's name, `command`, or null (it has none). */
  key: z.nullable(z.string()),
  /** `ready`: it answered with its models. `no_list`: it answers, but tells no models. */
  state: z.enum(['ready', 'no_list', 'no_key', 'key_refused', 'unreachable']),
  detail: z.string(),
});
export type ProviderView = z.infer<typeof providerViewSchema>;
/** A model as lists show it; `price` null = not known. */
export const modelViewSchema = z.object({
  ref: z.string(),
  provider: z.nullable(z.string()),
  contextTokens: z.number(),
  images: z.boolean(),
  price: z.nullable(modelPriceSchema),
  isDefault: z.boolean(),
  /** Place among those to fall over to, from 1; null when it is none. */
  failover: z.nullable(z.number()),
});
export type ModelView = z.infer<typeof modelViewSchema>;
/** What `GET models` says; `from`: what decided the default. */
export const modelsAnswerSchema = z.object({
  default: z.object({ ref: z.string(), from: z.string(), problem: z.nullable(z.string()) }),
  providers: z.array(providerViewSchema),
  models: z.array(modelViewSchema),
});
export type ModelsAnswer = z.infer<typeof modelsAnswerSchema>;
/** What one small real request gave. */
export const modelTestAnswerSchema = z.discriminatedUnion('ok', [
  z.object({ ref: z.string(), ok: z.literal(true), ms: z.number(), text: z.string() }),
  z.object({
    ref: z.string(),
    ok: z.literal(false),
    code: z.string(),
    message: z.string(),
    next: z.string(),
  }),
]);
export type ModelTestAnswer = z.infer<typeof modelTestAnswerSchema>;
/** `note`: why it does not hold yet (`KAIROS_MODEL` goes before the settings); null when it does. */
export const defaultModelAnswerSchema = z.object({ ref: z.string(), note: z.nullable(z.string()) });
export type DefaultModelAnswer = z.infer<typeof defaultModelAnswerSchema>;

/** What usage can be grouped by. */
export const usageGroupSchema = z.enum(['day', 'session', 'model', 'cause', 'purpose']);
/** Sums of one group; money in millionths of a US dollar. `reserved*`: of requests whose cost was never told. */
export const usageSumSchema = z.object({
  key: z.string(),
  /** The session's name where the key is a session. */
  name: z.nullable(z.string()),
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  microUsd: z.number(),
  reservedTokens: z.number(),
  reservedMicroUsd: z.number(),
  /** Requests that took tokens of a model without a known price: they are in no sum of money. */
  unpriced: z.number(),
});
export type UsageSumView = z.infer<typeof usageSumSchema>;
/** What `GET usage` says. Limits as raised; null = none. */
export const usageAnswerSchema = z.object({
  by: usageGroupSchema,
  sinceDay: z.string(),
  today: z.string(),
  session: z.nullable(z.string()),
  groups: z.array(usageSumSchema),
  limits: z.object({
    dayMicroUsd: z.nullable(z.number()),
    sessionDayTokens: z.nullable(z.number()),
    sessionMicroUsd: z.nullable(z.number()),
    totalMicroUsd: z.nullable(z.number()),
  }),
  spent: z.object({ dayMicroUsd: z.number(), totalMicroUsd: z.number() }),
});
export type UsageAnswer = z.infer<typeof usageAnswerSchema>;
/** `POST usage/raise`: dollars, or tokens where the limit is one of tokens. `session` is needed for `session` and `tokens`. */
export const raiseBodySchema = z.strictObject({
  limit: budgetNameSchema,
  by: z.number().check(z.positive(), z.lte(1_000_000_000)),
  session: z.optional(z.string()),
  /** Asked again with the same one nothing is raised twice; absent: each request raises. */
  uuid: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
});
export type RaiseBody = z.infer<typeof raiseBodySchema>;
/** The limit as it is now (millionths of a dollar, or tokens) and the sessions that go on. */
export const raiseAnswerSchema = z.object({ most: z.number(), unparked: z.array(z.string()) });
export type RaiseAnswer = z.infer<typeof raiseAnswerSchema>;

/** Every HTTP error: what happened and what to do next. */
export const errorBodySchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), next: z.string() }),
});
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
