import * as z from 'zod/mini';
import { promptViewSchema } from '../../../shared/domain/prompts.ts';
import { deviceViewSchema, ruleViewSchema, sessionViewSchema } from '../../../shared/protocol/bridge.ts';

/** Answers of routes whose shape is not named in shared/protocol/bridge.ts. */
export const anyAnswerSchema = z.unknown();
export const sessionsAnswerSchema = z.array(sessionViewSchema);
export const promptsAnswerSchema = z.array(promptViewSchema);
export const rulesAnswerSchema = z.array(ruleViewSchema);
export const ruleAddedSchema = z.object({ rule: ruleViewSchema, notice: z.nullable(z.string()) });
export const devicesAnswerSchema = z.array(deviceViewSchema);
export const interruptAnswerSchema = z.object({ interrupted: z.boolean() });
export const hitsAnswerSchema = z.array(
  z.object({ session: z.string(), seq: z.number(), at: z.number(), text: z.string() }),
);

export const doctorCheckSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  next: z.string(),
});
export const doctorAnswerSchema = z.object({ version: z.string(), checks: z.array(doctorCheckSchema) });
export type DoctorCheck = z.infer<typeof doctorCheckSchema>;
