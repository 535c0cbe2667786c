import * as z from 'zod/mini';
import { attachmentSchema, lostAttachmentSchema } from './attachments.ts';
import { reservationSchema } from './budget.ts';
import { effectClassSchema } from './effects.ts';
import { callResultSchema, replySchema, usageSchema } from './messages.ts';
import { type Origin, originSchema, routeSchema } from './origin-route.ts';
import { decisionSchema } from './permissions/call-facts.ts';
import { answeredBySchema, promptKindSchema, verdictSchema } from './prompts.ts';
import { permissionModeSchema, sessionKindSchema } from './sessions.ts';
import { taskEndKindSchema } from './tasks.ts';
import { todoSchema } from './todos.ts';
import { settledBySchema, wakeKindSchema, wakeModeSchema } from './wakes.ts';

/** Body of each event type at its present version. Additive only; a rename is a new type (design 22). */
export const eventBodies = {
  'session.created': z.object({
    name: z.nullable(z.string()),
    kind: sessionKindSchema,
    dir: z.string(),
    mode: permissionModeSchema,
    model: z.string(),
    parent: z.nullable(z.string()),
    /** In brief mode from the start; absent: not. */
    brief: z.optional(z.boolean()),
  }),
  'session.renamed': z.object({ name: z.string() }),
  'session.mode_set': z.object({ mode: permissionModeSchema }),
  'session.paused': z.object({}),
  'session.resumed': z.object({}),
  'session.model_set': z.object({ model: z.string() }),
  'session.brief_set': z.object({ brief: z.boolean() }),
  /** `until`: wall ms at which it goes on by itself. */
  'session.parked': z.object({ code: z.string(), reason: z.string(), until: z.optional(z.number()) }),
  'session.unparked': z.object({}),
  'message.received': z.object({
    message: z.string(),
    wake: z.string(),
    ref: z.string(),
    kind: wakeKindSchema,
    mode: wakeModeSchema,
    text: z.string(),
    route: routeSchema,
  }),
  'turn.began': z.object({ turn: z.string(), cause: wakeKindSchema }),
  'step.began': z.object({
    step: z.string(),
    turn: z.string(),
    n: z.number(),
    frame: z.string(),
    wakes: z.array(z.string()),
    /** Refs of the messages whose text enters the context with this step, in order. */
    delivered: z.array(z.object({ ref: z.string(), seq: z.number() })),
    reservation: reservationSchema,
    policy: z.string(),
  }),
  'step.replied': z.object({ step: z.string(), turn: z.string(), reply: replySchema, usage: usageSchema }),
  'step.abandoned': z.object({ step: z.string(), turn: z.string(), reason: z.string() }),
  'call.began': z.object({
    call: z.string(),
    step: z.string(),
    turn: z.string(),
    tool: z.string(),
    input: z.unknown(),
    class: effectClassSchema,
    decision: decisionSchema,
    digest: z.string(),
    /** Wall ms until which the call sleeps; only Sleep has it. */
    until: z.optional(z.number()),
  }),
  'call.ended': z.object({
    call: z.string(),
    step: z.string(),
    turn: z.string(),
    tool: z.string(),
    result: callResultSchema,
  }),
  /** What the model is told beside people's words; `digest` names the state of the files it is about. */
  'context.noted': z.object({ turn: z.string(), text: z.string(), digest: z.string() }),
  /** What came before seq `from` is `text` from now on, for the model; the log stays whole. */
  'context.compacted': z.object({ from: z.number(), text: z.string(), by: z.enum(['model', 'digest']) }),
  /** A hook blocked, changed, failed or said something to people. `withheld`: ref of the message that the model does not get. */
  'hook.ran': z.object({
    hook: z.string(),
    event: z.string(),
    outcome: z.enum(['blocked', 'changed', 'failed', 'said']),
    text: z.string(),
    call: z.optional(z.string()),
    withheld: z.optional(z.string()),
    /** A guard that did not work, told once in a session: what becomes of what it guards. */
    broken: z.optional(z.enum(['passes', 'holds'])),
  }),
  /** The running note of the session: what a summary of everything up to seq `upTo` says. */
  'session.noted': z.object({ upTo: z.number(), text: z.string() }),
  /** A shell that goes on after its call ended. `output`: file in the session's scratch folder. */
  'task.began': z.object({ task: z.string(), call: z.string(), title: z.string(), output: z.string() }),
  'task.ended': z.object({
    task: z.string(),
    title: z.string(),
    how: taskEndKindSchema,
    code: z.nullable(z.number()),
    signal: z.nullable(z.string()),
  }),
  'turn.nudged': z.object({ turn: z.string(), text: z.string() }),
  'turn.ended': z.object({ turn: z.string(), outcome: z.enum(['done', 'interrupted', 'failed']) }),
  'message.sent': z.object({
    turn: z.nullable(z.string()),
    call: z.nullable(z.string()),
    text: z.string(),
    status: z.enum(['normal', 'proactive']),
    source: z.enum(['tool', 'final_text', 'notice']),
    inReplyTo: z.nullable(z.string()),
    routes: z.array(routeSchema),
    attachments: z.optional(z.array(attachmentSchema)),
    /** Files that were to go with it and could not. */
    lost: z.optional(z.array(lostAttachmentSchema)),
  }),
  /** The model's own list as it is now; `call` wrote it. */
  'todos.set': z.object({ call: z.string(), todos: z.array(todoSchema) }),
  'message.settled': z.object({
    message: z.string(),
    wake: z.string(),
    ref: z.string(),
    turn: z.nullable(z.string()),
    by: settledBySchema,
  }),
  'prompt.opened': z.object({
    prompt: z.string(),
    code: z.string(),
    kind: promptKindSchema,
    call: z.nullable(z.string()),
    tool: z.nullable(z.string()),
    headline: z.string(),
    expiresAt: z.number(),
  }),
  'prompt.decided': z.object({
    prompt: z.string(),
    code: z.string(),
    verdict: verdictSchema,
    by: answeredBySchema,
  }),
  'prompt.expired': z.object({ prompt: z.string(), code: z.string() }),
  'prompt.withdrawn': z.object({ prompt: z.string(), code: z.string(), reason: z.string() }),
  'delivery.planned': z.object({ effect: z.string(), route: routeSchema, class: effectClassSchema }),
  'delivery.done': z.object({ effect: z.string(), externalId: z.string(), attempt: z.number() }),
  'delivery.failed': z.object({ effect: z.string(), reason: z.string(), attempt: z.number() }),
  'delivery.uncertain': z.object({ effect: z.string(), reason: z.string(), attempt: z.number() }),
} as const;

/** The name of an event type that this build knows. */
export type EventType = keyof typeof eventBodies;
/** The body of a type at its present version. */
export type EventBody<Type extends EventType> = z.infer<(typeof eventBodies)[Type]>;

/** A fact to append; seq, at and v are given by the store. */
export type NewEvent = {
  [Type in EventType]: { readonly type: Type; readonly body: EventBody<Type>; readonly origin?: Origin };
}[EventType];

/** A stored fact. `seq` is gapless per session from 1; `at` is wall ms; `id` is one order over all sessions. */
export type StoredEvent = NewEvent & {
  readonly id: number;
  readonly session: string;
  readonly seq: number;
  readonly at: number;
  readonly v: number;
};

/** The wire and file form of an event; types this build does not know are kept and shown generically. */
export const anyEventSchema = z.object({
  id: z.number(),
  session: z.string(),
  seq: z.number(),
  at: z.number(),
  type: z.string(),
  v: z.number(),
  origin: z.optional(originSchema),
  body: z.unknown(),
});
export type AnyEvent = z.infer<typeof anyEventSchema>;

/** Present version per type where it is not 1. */
const versions: Partial<Record<EventType, number>> = {};

/** The version a new event of this type is written with. */
export function eventVersion(type: EventType): number {
  return versions[type] ?? 1;
}

type Upcaster = (body: unknown) => unknown;
/** One step up per (type, version written): `'message.received@1'` makes version 2. */
const upcasters: Record<string, Upcaster> = {};

/** Brings a stored event to the present version; throws nothing, unknown types and newer versions pass unchanged. */
export function upcast(event: AnyEvent, table: Record<string, Upcaster> = upcasters): AnyEvent {
  let { v, body } = event;
  for (let step = table[`${event.type}@${v}`]; step; step = table[`${event.type}@${v}`]) {
    body = step(body);
    v += 1;
  }
  return v === event.v ? event : { ...event, v, body };
}

/** True when this build knows the event's type, so that its body may be read as `StoredEvent`. */
export function isKnownEvent(event: AnyEvent): event is StoredEvent {
  return Object.hasOwn(eventBodies, event.type);
}
