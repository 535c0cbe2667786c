import * as z from 'zod/mini';

/** What a person is asked for. */
export const promptKindSchema = z.enum([
  'approval',
  'question',
  'plan',
  'sign_in',
  'trust',
  'elicitation',
  'pairing',
  'install',
]);
export type PromptKind = z.infer<typeof promptKindSchema>;

/** `open` asks; `decided` has a verdict; `expired` counts as denied; `withdrawn`: what asked is over. */
export const promptStateSchema = z.enum(['open', 'decided', 'expired', 'withdrawn']);
export type PromptState = z.infer<typeof promptStateSchema>;

/** `once`: this call; `session`: the prompt's rule, for this session alone; `always`: the same for all. */
export const verdictScopeSchema = z.enum(['once', 'session', 'always']);
export type VerdictScope = z.infer<typeof verdictScopeSchema>;

/** What a person said to a prompt. */
export const verdictSchema = z.discriminatedUnion('behavior', [
  z.object({ behavior: z.literal('allow'), scope: verdictScopeSchema }),
  z.object({ behavior: z.literal('deny'), reason: z.optional(z.string()) }),
  /** `ownWords`: meant as it is, even when it looks like a slip in naming an option (`mayBeSlip`). */
  z.object({ behavior: z.literal('answer'), text: z.string(), ownWords: z.optional(z.boolean()) }),
]);
export type Verdict = z.infer<typeof verdictSchema>;

/** Who answered, for everybody else to see. */
export const answeredBySchema = z.object({
  surface: z.string(),
  principal: z.string(),
  device: z.optional(z.string()),
  at: z.number(),
});
export type AnsweredBy = z.infer<typeof answeredBySchema>;

/** What became of a verdict. `by` says who was first, or why it is not allowed. */
export const verdictOutcomeSchema = z.enum([
  'accepted',
  'already_answered',
  'unknown',
  'expired',
  'not_allowed',
]);
export type VerdictOutcome = z.infer<typeof verdictOutcomeSchema>;

/** One option of a question. */
export const optionSchema = z.object({ label: z.string(), description: z.optional(z.string()) });
export type QuestionOption = z.infer<typeof optionSchema>;

/** What a surface shows of a prompt; everything that is decided stands in it. */
export const promptViewSchema = z.object({
  id: z.string(),
  code: z.string(),
  kind: promptKindSchema,
  state: promptStateSchema,
  session: z.string(),
  sessionName: z.nullable(z.string()),
  call: z.nullable(z.string()),
  tool: z.nullable(z.string()),
  /** Built by the daemon from the input, never by the model. One line, `<= 200` characters. */
  headline: z.string(),
  /** The model's own label, shown as such; empty when it gave none. */
  description: z.string(),
  /** The whole text that is decided on (command, path and diff, question). Invisible characters are made visible. */
  preview: z.string(),
  /** What is risky about it, one short sentence each, the worst first; built by the daemon from the input. */
  risks: z.optional(z.nullable(z.readonly(z.array(z.string())))),
  /** Why a person is asked, after "Asks because:"; built by the daemon from what the policy said. */
  reason: z.optional(z.nullable(z.string())),
  /** Set where `preview` was cut to fit a frame: read the whole prompt over HTTP before allowing. */
  previewCut: z.optional(z.boolean()),
  options: z.array(optionSchema),
  multiple: z.boolean(),
  /** The rule that `session` and `always` would keep, as text; null where they are not offered. */
  rule: z.nullable(z.string()),
  dir: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
  verdict: z.nullable(verdictSchema),
  by: z.nullable(answeredBySchema),
});
export type PromptView = z.infer<typeof promptViewSchema>;

/** What stands in place of a secret in everything that is shown. */
export const maskedMark = '[masked]';

/** A prompt without a rule to keep because what would be kept looks like a secret; what is shown of it says so. */
export function looksSecret({ headline, preview }: Pick<PromptView, 'headline' | 'preview'>): boolean {
  return headline.includes(maskedMark) || preview.includes(maskedMark);
}

/** Why nothing can be kept of an approval without a rule, in one word; the reason it asks is shown beside it. */
export type NothingKept = 'secret' | 'no rule' | 'asks every time';

/** Why an approval without a rule can be allowed once only. */
export function nothingKept(prompt: Pick<PromptView, 'headline' | 'preview' | 'reason'>): NothingKept {
  if (looksSecret(prompt)) return 'secret';
  return prompt.reason?.startsWith('mode ') === true ? 'no rule' : 'asks every time';
}

/** 24 h: an unanswered prompt counts as denied after this many ms. */
export const defaultPromptLifeMs = 24 * 60 * 60 * 1000;
