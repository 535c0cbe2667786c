import * as z from 'zod/mini';
import { callFactsSchema } from '../domain/permissions/call-facts.ts';
import { sandboxConfigSchema } from '../domain/sandbox.ts';

/** What the program that gathers facts without a session is asked; one JSON on its standard input. Paths are absolute. */
export const factsJobSchema = z.object({
  tool: z.string(),
  /** The tool's input, or a text that stands for it: a command, a path, an address. */
  input: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('json'), value: z.unknown() }),
    z.object({ kind: z.literal('text'), text: z.string() }),
  ]),
  dir: z.string(),
  home: z.string(),
  scratch: z.string(),
  sandbox: sandboxConfigSchema,
});
export type FactsJob = z.infer<typeof factsJobSchema>;

/** Its one line of output: the facts that a worker would hand in, or why such a call could not even be asked about. */
export const factsAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), facts: callFactsSchema }),
  z.object({ kind: z.literal('bad'), message: z.string() }),
]);
export type FactsAnswer = z.infer<typeof factsAnswerSchema>;
