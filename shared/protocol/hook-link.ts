import * as z from 'zod/mini';
import { eventBodies } from '../domain/events.ts';
import { hookRuleSchema } from '../domain/hooks/rules.ts';
import { permissionModeSchema } from '../domain/sessions.ts';

/** The hooks that hold in a session, in its lease; `begins`: whether its first turn is ahead. */
export const sessionHooksSchema = z.object({
  rules: z.readonly(z.array(hookRuleSchema)),
  begins: z.enum(['startup', 'resume']),
});

/** The session's hooks or its mode are others now; sent before the answer that lets the next call begin. */
export const hooksFrameSchema = z.object({
  type: z.literal('hooks'),
  session: z.string(),
  lease: z.string(),
  rules: z.readonly(z.array(hookRuleSchema)),
  mode: permissionModeSchema,
});

/** What a runner tells of hooks. */
export const hookLinkVerbs = {
  /** A hook blocked, changed, failed or said something to people. */
  hookRan: { input: eventBodies['hook.ran'], output: z.object({}) },
  /** A guard ran and worked: told when that is news to this worker. */
  hookWell: { input: z.object({ hook: z.string(), event: z.string() }), output: z.object({}) },
  /** What a PermissionRequest hook says about the call that is asked about under `code`; why it does not count, or null. */
  hookVerdict: {
    input: z.object({
      call: z.string(),
      code: z.string(),
      behavior: z.enum(['allow', 'deny']),
      reason: z.string(),
      rule: hookRuleSchema,
    }),
    output: z.object({ refused: z.nullable(z.string()) }),
  },
} as const;
