import * as z from 'zod/mini';
import { foundAttachmentSchema, lostAttachmentSchema } from '../attachments.ts';
import { effectClassSchema } from '../effects.ts';
import { shellFactsSchema } from './shell-facts.ts';

/** What the worker found out about a call before anything runs; the policy decides on it and the digest covers it. */
export const callFactsSchema = z.object({
  tool: z.string(),
  /** The input after hooks; JSON. */
  input: z.unknown(),
  class: effectClassSchema,
  /** Absolute real path the call runs in. */
  cwd: z.string(),
  /** What an exact rule is held against: the whole command, or the absolute real path. */
  subject: z.string(),
  /** `command`: runs a shell; `read`/`write`: touches `paths`; `network`: reads from a host; `person`: only talks to the person. */
  access: z.enum(['command', 'read', 'write', 'network', 'person']),
  /** Real paths touched; empty for commands. */
  paths: z.array(z.string()),
  /** Files whose content is part of what is shown, with their SHA-256 (null = absent). */
  preimages: z.array(z.object({ path: z.string(), sha256: z.nullable(z.string()) })),
  /** What a person has to see before allowing: the command, or path and diff. */
  preview: z.string(),
  /** The model's own label; may be empty. */
  description: z.string(),
  /** What a command consists of; only with access `command`. */
  shell: z.optional(shellFactsSchema),
  /** What a PreToolUse hook said; deny and ask rules hold all the same. `by` names the hook for people. */
  hook: z.optional(
    z.object({
      behavior: z.enum(['allow', 'ask', 'deny']),
      reason: z.string(),
      by: z.string(),
      /** With `ask`: a person decides in every mode, and may take any time. */
      deferred: z.optional(z.boolean()),
      /** The answer to an AskUserQuestion, and the hook that gave it. */
      answer: z.optional(z.string()),
      answeredBy: z.optional(z.string()),
      /** What the model reads below the result of a call that the daemon does itself. */
      note: z.optional(z.string()),
    }),
  ),
  /** A PreToolUse hook changed the input: which one, and what had been asked for (its subject). */
  changed: z.optional(z.object({ by: z.string(), asked: z.string() })),
  /** true: the command runs in the sandbox; false: it should and there is none; absent: nothing demands one for it. */
  sandboxed: z.optional(z.boolean()),
  /** Files that go with a message: stored ones, and those that could not be. */
  files: z.optional(z.object({ found: z.array(foundAttachmentSchema), lost: z.array(lostAttachmentSchema) })),
});
export type CallFacts = z.infer<typeof callFactsSchema>;

/** What the policy says, and which rule or reason said so (shown to people and stored with the call). */
export const decisionSchema = z.object({
  behavior: z.enum(['allow', 'ask', 'deny']),
  by: z.string(),
  rule: z.nullable(z.string()),
  /** One sentence that says more than `by` does; for people (`kairos rules explain`). */
  reason: z.optional(z.string()),
});
export type Decision = z.infer<typeof decisionSchema>;
