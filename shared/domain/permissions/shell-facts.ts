import * as z from 'zod/mini';

/**
 * A word of a command. `literal`: `text` is exactly what the program gets. `pattern`: an unquoted glob, brace or tilde may turn it
 * into several words that follow from file names; `text` is its source without quotes. `dynamic`: its value is known only when it
 * runs (a variable, a substitution, arithmetic); `text` is its source.
 */
export const shellWordSchema = z.object({
  text: z.string(),
  kind: z.enum(['literal', 'pattern', 'dynamic']),
  /** A dynamic word that stands in double quotes as a whole: surely exactly one word, whatever its value. */
  single: z.optional(z.boolean()),
});
export type ShellWord = z.infer<typeof shellWordSchema>;

/** A redirection. `target` null: a descriptor (`2>&1`) or a here-document. `paths`: real paths of a literal target, both ends of a link. */
export const shellRedirectSchema = z.object({
  /** `read` opens a file to read it, `write` creates or changes one, `none` touches no file. */
  access: z.enum(['read', 'write', 'none']),
  target: z.nullable(shellWordSchema),
  paths: z.array(z.string()),
});
export type ShellRedirect = z.infer<typeof shellRedirectSchema>;

/** One simple command wherever it stands in the script: in a list, a pipe, a loop, a function, a substitution. */
export const shellPartSchema = z.object({
  /** Its own text as written. */
  source: z.string(),
  /** `NAME=value` before it (or alone, then `words` is empty). */
  assignments: z.array(z.object({ name: z.string(), value: z.nullable(shellWordSchema) })),
  words: z.array(shellWordSchema),
  redirects: z.array(shellRedirectSchema),
  /** It stands in a literal script that another part hands to a shell: rules that deny or ask see it, nothing is allowed by it. */
  nested: z.optional(z.boolean()),
  /** Only of `cd` with a literal directory: where that really is. Absent: not known. */
  goesTo: z.optional(z.string()),
  /** Where words that are spelled out really lead through symbolic links, and files of Kairos's home that they are other names of. */
  leadsTo: z.optional(z.array(z.string())),
});
export type ShellPart = z.infer<typeof shellPartSchema>;

/** What a parser found in the command of a shell; data only, made where the parser runs. */
export const shellFactsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('parsed'),
    parts: z.array(shellPartSchema),
    /** Redirections of compound commands (`{ ...; } > file`). */
    redirects: z.array(shellRedirectSchema),
    /** Constructs that no pattern can vouch for (a function, a coprocess, arithmetic with side effects ...), one word each. */
    odd: z.array(z.string()),
  }),
  /** No rule with a pattern allows it; `reason`: one sentence for people. */
  z.object({ kind: z.literal('unparsed'), reason: z.string() }),
]);
export type ShellFacts = z.infer<typeof shellFactsSchema>;
