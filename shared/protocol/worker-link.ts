import * as z from 'zod/mini';
import { callResultSchema, replySchema, usageSchema } from '../domain/messages.ts';
import { callFactsSchema } from '../domain/permissions/call-facts.ts';
import { credentialSchema, modelChoiceSchema } from '../domain/models.ts';
import { sandboxConfigSchema } from '../domain/sandbox.ts';
import { permissionModeSchema } from '../domain/sessions.ts';
import { taskEndSchema } from '../domain/tasks.ts';
import { wakeKindSchema } from '../domain/wakes.ts';
import { webSearchSchema } from '../domain/web-search.ts';
import { openStepSchema } from '../domain/steps.ts';
import { hookLinkVerbs, hooksFrameSchema, sessionHooksSchema } from './hook-link.ts';

/** Version of this wire; daemon and worker of one build always match. */
export const workerLinkVersion = 1;

/** No frame on the link is larger (UTF-8 bytes of its JSON); a larger one travels as a parcel (`parcel.ts`). */
export const maxFrameBytes = 256 * 1024;

const megabyte = 1024 * 1024;
/** What a runner may hand over at most, in bytes of JSON as it stands in a frame. */
export const longest = {
  reply: 8 * megabyte,
  /** Of a runner that keeps its own; in bytes before base64. */
  context: 8 * megabyte,
  /** Input of a call with everything that a person has to see of it. */
  facts: 16 * megabyte,
  result: 4 * megabyte,
} as const;

/** A call of the open step as the runner sees it. `unknown` after a crash comes back as an ended call. */
export const callStateSchema = z.object({
  id: z.string(),
  tool: z.string(),
  input: z.unknown(),
  /** `open`: begin it (also after a verdict); `ended`: has its result. */
  state: z.enum(['open', 'ended']),
  result: z.nullable(callResultSchema),
});
export type CallState = z.infer<typeof callStateSchema>;

/** One message of the context, as in `ContextMessage`. */
export const contextMessageSchema = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    seq: z.number(),
    text: z.string(),
    ref: z.optional(z.string()),
    turn: z.string(),
    wake: z.optional(wakeKindSchema),
    note: z.optional(z.string()),
  }),
  z.object({
    role: z.literal('assistant'),
    seq: z.number(),
    reply: replySchema,
    turn: z.string(),
    tokens: z.optional(z.number()),
  }),
  z.object({
    role: z.literal('result'),
    seq: z.number(),
    call: z.string(),
    tool: z.string(),
    result: callResultSchema,
    turn: z.string(),
  }),
]);

/** What the runner does next. `messages`: context after the seq it said it knows; `more`: page on with `context`. */
export const grantSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('request'),
    step: openStepSchema,
    repeated: z.boolean(),
    messages: z.array(contextMessageSchema),
    more: z.boolean(),
    /** The session's mode now: the model is told of plan mode when it begins and ends. */
    mode: z.optional(permissionModeSchema),
  }),
  z.object({
    kind: z.literal('calls'),
    step: openStepSchema,
    reply: replySchema,
    calls: z.array(callStateSchema),
  }),
  z.object({ kind: z.literal('turn_ended'), turn: z.string() }),
  z.object({ kind: z.literal('waiting'), call: z.string() }),
  z.object({ kind: z.literal('idle') }),
  z.object({ kind: z.literal('refused'), why: z.enum(['paused', 'parked', 'budget']), reason: z.string() }),
]);
export type Grant = z.infer<typeof grantSchema>;

/** Answer to `beginCall`. */
export const beginCallAnswerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('granted'),
    /** Of a search: lists of patterns (`path-patterns.ts`) whose files it must not show. */
    hidden: z.optional(z.array(z.array(z.string()))),
  }),
  z.object({ kind: z.literal('asking'), code: z.string() }),
  z.object({ kind: z.literal('sleeping'), until: z.number() }),
  z.object({ kind: z.literal('ended'), result: callResultSchema, next: z.nullable(grantSchema) }),
]);
export type BeginCallAnswer = z.infer<typeof beginCallAnswerSchema>;

const requestLimitsSchema = z.object({
  firstByteMs: z.number(),
  silenceMs: z.number(),
  wholeMs: z.number(),
  attempts: z.number(),
  totalWaitMs: z.number(),
});

/** Everything a worker needs to run one session; memory only, secrets never reach argv or environment. */
export const leaseSchema = z.object({
  lease: z.string(),
  session: z.string(),
  name: z.nullable(z.string()),
  dir: z.string(),
  mode: permissionModeSchema,
  model: z.string(),
  /** Folder for spill files; exists. */
  scratch: z.string(),
  frame: z.nullable(z.string()),
  /** Opaque context (base64) of a runner that keeps its own. */
  context: z.nullable(z.string()),
  /** Events up to this seq belong to earlier turns. */
  turnSeq: z.number(),
  /** Environment for tools (design 7); null: ask with `environment` when a tool needs it, the login shell may be slow. */
  environment: z.nullable(z.record(z.string(), z.string())),
  secrets: z.record(z.string(), credentialSchema),
  /** The session's model, then those to fall over to, in order; never empty. */
  models: z.array(modelChoiceSchema),
  /** Content of `frame`; null when nothing is pinned. */
  frameContent: z.nullable(z.string()),
  brief: z.boolean(),
  /** Where the context begins: the text of the newest compaction and the seq it goes on from. */
  compaction: z.nullable(z.object({ seq: z.number(), from: z.number(), text: z.string() })),
  memo: z.nullable(z.object({ upTo: z.number(), text: z.string() })),
  /** Settings of the built-in loop; absent: its defaults. `repeatLimit`: equal calls in a row that are run. */
  loop: z.optional(z.object({ repeatLimit: z.number(), sessionMemory: z.boolean() })),
  /** How long answers of models may take, and how often they are asked again; absent: the defaults of `worker/model/limits.ts`. */
  requests: z.optional(requestLimitsSchema),
  /** Background tasks: how many at once, and the longest life of one in ms; absent: 8, and a day. */
  tasks: z.optional(z.object({ most: z.number(), limitMs: z.number() })),
  /** Where searches of the web go; absent: by the means of a provider that is known to have them. */
  webSearch: z.optional(webSearchSchema),
  /** Absent: none. */
  hooks: z.optional(sessionHooksSchema),
});
export type Lease = z.infer<typeof leaseSchema>;

/** Estimated tokens of a request's context with its frame; what a step's reservation follows from. */
const contextTokensSchema = z.number().check(z.gte(0), z.lte(100_000_000));

/** A place in a conversation; `at` wall ms, `text` cut to what was found. */
export const transcriptHitSchema = z.object({
  session: z.string(),
  name: z.nullable(z.string()),
  seq: z.number(),
  at: z.number(),
  who: z.string(),
  text: z.string(),
});
export type TranscriptHit = z.infer<typeof transcriptHitSchema>;

/** What a runner asks of the daemon, by verb. Each is answered once. */
export const linkVerbs = {
  nextStep: {
    input: z.object({ known: z.number(), contextTokens: z.optional(contextTokensSchema) }),
    output: grantSchema,
  },
  context: {
    input: z.object({ after: z.number(), limit: z.number() }),
    output: z.object({ messages: z.array(contextMessageSchema), more: z.boolean() }),
  },
  pinFrame: { input: z.object({ content: z.string() }), output: z.object({ frame: z.string() }) },
  recordReply: {
    input: z.object({
      step: z.string(),
      reply: replySchema,
      usage: usageSchema,
      known: z.number(),
      contextTokens: z.optional(contextTokensSchema),
      /** Opaque context, base64. */
      context: z.optional(z.string()),
      /** Of a reply without calls: what the model is told so that it goes on, a few times in a turn. */
      goOn: z.optional(z.string()),
    }),
    output: grantSchema,
  },
  beginCall: {
    input: z.object({
      step: z.string(),
      call: z.string(),
      facts: callFactsSchema,
      known: z.number(),
      contextTokens: z.optional(contextTokensSchema),
    }),
    output: beginCallAnswerSchema,
  },
  endCall: {
    input: z.object({
      call: z.string(),
      result: callResultSchema,
      known: z.number(),
      contextTokens: z.optional(contextTokensSchema),
    }),
    output: z.object({ next: z.nullable(grantSchema) }),
  },
  /** Reserves the most a request beside the conversation may cost; `refused`: one sentence, the request must not be made. */
  beginSide: {
    input: z.object({
      purpose: z.enum(['compaction', 'memo', 'search']),
      contextTokens: contextTokensSchema,
      maxOutputTokens: contextTokensSchema,
    }),
    output: z.union([z.object({ id: z.string() }), z.object({ refused: z.string() })]),
  },
  /** What that request cost; null: it failed, and what was reserved counts as spent. */
  endSide: { input: z.object({ id: z.string(), usage: z.nullable(usageSchema) }), output: z.object({}) },
  /**
   * The provider refused the credential with this version: a newer one, asked for once for all sessions, or one sentence why there
   * is none (the session is then parked with code `credential_refused`).
   */
  refreshCredential: {
    input: z.object({ name: z.string(), version: z.number() }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('fresh'), credential: credentialSchema }),
      z.object({ kind: z.literal('refused'), reason: z.string() }),
    ]),
  },
  /** Environment for tools; may take as long as the login shell does. */
  environment: { input: z.object({}), output: z.object({ variables: z.record(z.string(), z.string()) }) },
  /** What holds now for the session's shells. */
  sandbox: { input: z.object({}), output: sandboxConfigSchema },
  /** Stores a picture or file; its SHA-256. */
  putBlob: { input: z.object({ base64: z.string() }), output: z.object({ hash: z.string() }) },
  /** Stores the file at a real path, at most 30 MB, without its bytes crossing the link; or why not, to follow the path. */
  putFile: {
    input: z.object({ path: z.string() }),
    output: z.union([z.object({ hash: z.string(), bytes: z.number() }), z.object({ refused: z.string() })]),
  },
  /** Looks through what was said in earlier conversations, newest first. `note`: how it was looked for, when that matters. */
  searchTranscripts: {
    input: z.object({
      query: z.string(),
      since: z.nullable(z.number()),
      limit: z.number(),
      /** Only in the session that asks. */
      own: z.boolean(),
    }),
    output: z.object({ hits: z.array(transcriptHitSchema), note: z.nullable(z.string()) }),
  },
  /** Content of a blob, base64; null when there is none. */
  blob: { input: z.object({ hash: z.string() }), output: z.object({ base64: z.nullable(z.string()) }) },
  /** What came before seq `from` is `text` for the model from now on; unpins the frame. The seq of its event. */
  compact: {
    input: z.object({ from: z.number(), text: z.string(), by: z.enum(['model', 'digest']) }),
    output: z.object({ seq: z.number() }),
  },
  /** The running note of the session, which covers everything up to seq `upTo`. */
  memo: { input: z.object({ upTo: z.number(), text: z.string() }), output: z.object({}) },
  /** Tells the model something in the open turn, once and for good. */
  note: {
    input: z.object({ turn: z.string(), text: z.string(), digest: z.string() }),
    output: z.object({}),
  },
  /** A background task is about to be started; how many run with it. */
  taskBegan: {
    input: z.object({ task: z.string(), call: z.string(), title: z.string(), output: z.string() }),
    output: z.object({ running: z.number() }),
  },
  /** A background task ended; how many still run. */
  taskEnded: {
    input: z.object({ task: z.string(), end: taskEndSchema }),
    output: z.object({ running: z.number() }),
  },
  ...hookLinkVerbs,
  /** Ends the open turn as failed: whoever waits for an answer reads `reason`. */
  failTurn: { input: z.object({ turn: z.string(), reason: z.string() }), output: grantSchema },
  /** The runner cannot go on (model unusable, bad frame): the session is parked and the person told. */
  park: {
    input: z.object({
      code: z.string(),
      reason: z.string(),
      /** Its model did no work for the open step's request: what was reserved is free again. */
      unspent: z.optional(z.boolean()),
    }),
    output: z.object({}),
  },
} as const;
/** The name of a verb. */
export type LinkVerb = keyof typeof linkVerbs;
/** What a verb is asked with. */
export type LinkInput<Verb extends LinkVerb> = z.infer<(typeof linkVerbs)[Verb]['input']>;
/** What a verb answers. */
export type LinkOutput<Verb extends LinkVerb> = z.infer<(typeof linkVerbs)[Verb]['output']>;

/** Wire form of a fault; `code` as in `KairosError`. `stale`: the lease, step or call moved on; drop the work. */
export const linkErrorSchema = z.object({ code: z.string(), message: z.string() });

/** Every frame to a worker. */
export const daemonToWorkerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.number(), drafts: z.boolean() }),
  z.object({ type: z.literal('lease'), lease: leaseSchema }),
  /** Stop running this session and let go of it; running calls are killed when `interrupt`. */
  z.object({ type: z.literal('release'), session: z.string(), lease: z.string(), interrupt: z.boolean() }),
  /** Something changed for this session (new wake, verdict): ask `nextStep` again when waiting or idle. */
  z.object({ type: z.literal('changed'), session: z.string(), lease: z.string() }),
  z.object({ type: z.literal('mode'), session: z.string(), mode: permissionModeSchema }),
  hooksFrameSchema,
  z.object({ type: z.literal('answer'), id: z.number(), ok: z.literal(true), output: z.unknown() }),
  z.object({ type: z.literal('fault'), id: z.number(), error: linkErrorSchema }),
  /** Say `pong` with the same number: a worker that does not for too long is killed. */
  z.object({ type: z.literal('ping'), n: z.number() }),
  /** Finish: no new step; exit when every lease is let go. */
  z.object({ type: z.literal('stop') }),
]);
export type DaemonToWorker = z.infer<typeof daemonToWorkerSchema>;

/** Every frame from a worker. */
export const workerToDaemonSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), version: z.number(), pid: z.number() }),
  z.object({
    type: z.literal('ask'),
    id: z.number(),
    session: z.string(),
    lease: z.string(),
    verb: z.enum([
      'nextStep',
      'context',
      'pinFrame',
      'recordReply',
      'beginCall',
      'endCall',
      'environment',
      'sandbox',
      'putBlob',
      'putFile',
      'searchTranscripts',
      'blob',
      'compact',
      'memo',
      'note',
      'hookRan',
      'hookWell',
      'hookVerdict',
      'failTurn',
      'beginSide',
      'endSide',
      'refreshCredential',
      'taskBegan',
      'taskEnded',
      'park',
    ]),
    input: z.unknown(),
  }),
  /** Lossy, newest wins. `offset` = characters of this part sent before. */
  z.object({
    type: z.literal('draft'),
    session: z.string(),
    lease: z.string(),
    step: z.string(),
    part: z.number(),
    kind: z.enum(['text', 'thinking', 'call']),
    offset: z.number(),
    text: z.string(),
  }),
  /** What the session is doing, for people: running call, background tasks. Lossy. */
  z.object({
    type: z.literal('activity'),
    session: z.string(),
    lease: z.string(),
    doing: z.nullable(z.string()),
    background: z.number(),
  }),
  z.object({ type: z.literal('pong'), n: z.number() }),
  /** The runner let go of the session (idle, waiting, released). */
  z.object({
    type: z.literal('released'),
    session: z.string(),
    lease: z.string(),
    why: z.enum(['idle', 'waiting', 'asked', 'refused', 'failed']),
    reason: z.optional(z.string()),
  }),
]);
export type WorkerToDaemon = z.infer<typeof workerToDaemonSchema>;
