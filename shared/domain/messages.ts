import * as z from 'zod/mini';
import type { WakeKind } from './wakes.ts';

/** Provider-neutral parts of a model message. `thinking` keeps its opaque provider signature. */
export const textPartSchema = z.object({ type: z.literal('text'), text: z.string() });
/** What a model thought; another provider's or model's is dropped on fail-over. */
export const thinkingPartSchema = z.object({
  type: z.literal('thinking'),
  text: z.string(),
  provider: z.string(),
  signature: z.optional(z.string()),
});
/** A tool call that a model asked for. */
export const callPartSchema = z.object({
  type: z.literal('call'),
  /** Our id, unique in the store. */
  id: z.string(),
  tool: z.string(),
  /** JSON input as the model gave it. */
  input: z.unknown(),
  /** The tool it was called through (`UseTool`); the provider sees that one, everybody else `tool`. */
  via: z.optional(z.string()),
});

/** One part of a reply, in the model's order. */
export const replyPartSchema = z.discriminatedUnion('type', [
  textPartSchema,
  thinkingPartSchema,
  callPartSchema,
]);
export type ReplyPart = z.infer<typeof replyPartSchema>;
/** A tool call that a model asked for. */
export type CallPart = z.infer<typeof callPartSchema>;

/** Tokens of one model request; money in millionths of a US dollar. */
export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  microUsd: z.number(),
  /** The server did not tell all counts, or impossible ones: they are ours. */
  estimated: z.optional(z.boolean()),
});
export type Usage = z.infer<typeof usageSchema>;
/** The usage of a request that cost nothing. */
export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: 0,
};

/** The whole canonical reply of one model request. */
export const replySchema = z.object({
  model: z.string(),
  parts: z.array(replyPartSchema),
  stop: z.enum(['end', 'calls', 'length', 'refused', 'error']),
});
export type Reply = z.infer<typeof replySchema>;

/** What one call gave back. `output` is what the model reads; `unknown` means the effect may or may not have happened. */
export const callOutcomeSchema = z.enum(['ok', 'error', 'denied', 'unknown', 'interrupted']);
export type CallOutcome = z.infer<typeof callOutcomeSchema>;
/** A stored picture: its blob and type (`image/png` ...). */
export const imageRefSchema = z.object({ hash: z.string(), mediaType: z.string(), bytes: z.number() });
export type ImageRef = z.infer<typeof imageRefSchema>;
/** How a call ended and what the model reads of it. */
export const callResultSchema = z.object({
  outcome: callOutcomeSchema,
  output: z.string(),
  /** Content-addressed file with the whole output when `output` was cut. */
  spill: z.optional(z.string()),
  /** Pictures the model gets beside `output`: blobs by their SHA-256. */
  images: z.optional(z.array(imageRefSchema)),
});
export type CallResult = z.infer<typeof callResultSchema>;

/** The conversation as a model port gets it, rebuilt from events. */
export type ContextMessage =
  | {
      readonly role: 'user';
      readonly seq: number;
      readonly text: string;
      /** What `in_reply_to` names; only messages of people and channels have it, the rest is Kairos's own. */
      readonly ref: string | undefined;
      readonly turn: string;
      /** Why a text of Kairos itself woke the session; nudges, notes and compactions have none. */
      readonly wake?: WakeKind | undefined;
      /** Digest of what a note is about; only notes have it. */
      readonly note?: string | undefined;
    }
  | {
      readonly role: 'assistant';
      readonly seq: number;
      readonly reply: Reply;
      readonly turn: string;
      /** Tokens of the request with this reply, as the provider counted them. */
      readonly tokens?: number | undefined;
    }
  | {
      readonly role: 'result';
      readonly seq: number;
      readonly call: string;
      readonly tool: string;
      readonly result: CallResult;
      readonly turn: string;
    };
