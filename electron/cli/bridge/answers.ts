import * as z from 'zod/mini';
import { promptViewSchema } from '../../../shared/domain/prompts.ts';
import { deviceViewSchema, sessionViewSchema } from '../../../shared/protocol/bridge.ts';
import { ruleViewSchema } from '../../../shared/protocol/permissions.ts';

/** Answers of routes whose shape is not named in shared/protocol/bridge.ts. */
export const anyAnswerSchema = z.unknown();
/** `GET sessions`. */
export const sessionsAnswerSchema = z.array(sessionViewSchema);
/** `GET prompts`. */
export const promptsAnswerSchema = z.array(promptViewSchema);
/** `GET rules`. */
export const rulesAnswerSchema = z.array(ruleViewSchema);
/** `POST rules`; `notice`: what holds instead of the rule as it was written, null when it was taken. */
export const ruleAddedSchema = z.object({ rule: ruleViewSchema, notice: z.nullable(z.string()) });
/** `GET devices`. */
export const devicesAnswerSchema = z.array(deviceViewSchema);
/** `POST sessions/:session/interrupt`; false: nothing ran. */
export const interruptAnswerSchema = z.object({ interrupted: z.boolean() });
/** `GET search`, newest first; `at` in wall ms. */
export const hitsAnswerSchema = z.array(
  z.object({ session: z.string(), seq: z.number(), at: z.number(), text: z.string() }),
);
