import * as z from 'zod/mini';
import { answeredBySchema } from '../domain/prompts.ts';
import { permissionModeSchema } from '../domain/sessions.ts';

const effectSchema = z.enum(['allow', 'ask', 'deny']);
/** Rules given with a new session, as people write them. */
export const ruleTextsBodySchema = z.strictObject({
  allow: z.optional(z.array(z.string())),
  ask: z.optional(z.array(z.string())),
  deny: z.optional(z.array(z.string())),
});
export type RuleTextsBody = z.infer<typeof ruleTextsBodySchema>;

/** `POST rules`; `rule` as people write it: `Tool` or `Tool(what it is used on)`. `session`: it holds there alone. */
export const ruleBodySchema = z.strictObject({
  effect: z.enum(['allow', 'ask', 'deny']),
  rule: z.string(),
  session: z.optional(z.string()),
});

/** A stored permission rule as lists show it. */
export const ruleViewSchema = z.object({
  id: z.string(),
  effect: z.enum(['allow', 'ask', 'deny']),
  /** As people write it; invisible characters are made visible. */
  rule: z.string(),
  /** The only session that it holds in, with its name; null: it holds in every session. */
  session: z.nullable(z.string()),
  sessionName: z.nullable(z.string()),
  createdAt: z.number(),
});
export type RuleView = z.infer<typeof ruleViewSchema>;

/** Where a rule came from, in the order in which they go before each other. */
export const ruleSourceSchema = z.enum([
  'managed',
  'command_line',
  'project_local',
  'project',
  'settings',
  'session',
  'always',
]);

/** A rule that holds now; `id` of those that can be revoked, `file` of those that stand in one. */
export const standingRuleSchema = z.object({
  id: z.nullable(z.string()),
  effect: effectSchema,
  /** As people write it; invisible characters are made visible. */
  rule: z.string(),
  source: ruleSourceSchema,
  file: z.nullable(z.string()),
  session: z.nullable(z.string()),
  sessionName: z.nullable(z.string()),
  createdAt: z.nullable(z.number()),
});
export type StandingRule = z.infer<typeof standingRuleSchema>;

/** `GET rules/standing`: what decides in a session, or in a new one in a directory. */
export const standingAnswerSchema = z.object({
  dir: z.string(),
  session: z.nullable(z.string()),
  mode: permissionModeSchema,
  /** In the order in which they are looked at. */
  rules: z.array(standingRuleSchema),
  /** Only rules of the administrator allow. */
  onlyManagedRules: z.boolean(),
  /** What could not be taken as written, one sentence each. */
  notices: z.array(z.string()),
  /** Directories whose own rules, hooks and variables do not hold as long as nobody trusts them. */
  untrusted: z.array(z.string()),
});
export type StandingAnswer = z.infer<typeof standingAnswerSchema>;

/** `POST rules/explain`: a call that nobody makes. `session` or `dir`; `mode` in place of the session's. */
export const explainBodySchema = z.strictObject({
  tool: z.string(),
  input: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('json'), value: z.unknown() }),
    z.strictObject({ kind: z.literal('text'), text: z.string() }),
  ]),
  session: z.optional(z.string()),
  dir: z.optional(z.string()),
  mode: z.optional(permissionModeSchema),
});
export type ExplainBody = z.infer<typeof explainBodySchema>;

/** What would become of the call. `bad`: it could not even be asked about. */
export const explainAnswerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('decided'),
    behavior: effectSchema,
    /** What decided: a rule with its source, or a reason. */
    by: z.string(),
    /** The rule that decided, and where it stands; null when none did. */
    rule: z.nullable(standingRuleSchema),
    reason: z.nullable(z.string()),
    mode: permissionModeSchema,
    dir: z.string(),
    session: z.nullable(z.string()),
    /** What the tool was found to touch. */
    access: z.string(),
    subject: z.string(),
    paths: z.array(z.string()),
    sandboxed: z.boolean(),
    untrusted: z.array(z.string()),
  }),
  z.object({ kind: z.literal('bad'), message: z.string() }),
]);
export type ExplainAnswer = z.infer<typeof explainAnswerSchema>;

/** `trusted` and `refused` are about exactly what is there now; `open`: nobody decided on it. */
export const trustStateSchema = z.enum(['trusted', 'refused', 'open']);
/** The executable configuration of a directory and what was said about it. */
export const trustViewSchema = z.object({
  dir: z.string(),
  digest: z.string(),
  state: trustStateSchema,
  /** All of it, then what changed since the last word. */
  preview: z.string(),
  /** When the word on it was given, and by whom; null for nobody. */
  at: z.nullable(z.number()),
  by: z.nullable(answeredBySchema),
});
export type TrustView = z.infer<typeof trustViewSchema>;
/** `GET trust?dir`: of the directory and of those above it up to the root of its repository. */
export const trustAnswerSchema = z.array(trustViewSchema);
/** `GET trusts`: every word that was given. */
export const trustWordSchema = z.object({
  dir: z.string(),
  digest: z.string(),
  trusted: z.boolean(),
  at: z.number(),
  by: z.nullable(answeredBySchema),
});
export type TrustWord = z.infer<typeof trustWordSchema>;
/** `POST trust`: `digest` has to be that of what is there now. */
export const trustBodySchema = z.strictObject({ dir: z.string(), digest: z.string(), trusted: z.boolean() });
/** `POST trust/revoke`. */
export const revokeTrustBodySchema = z.strictObject({ dir: z.string() });
