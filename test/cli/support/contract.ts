import * as z from 'zod/mini';

/** The JSON of the CLI contract, written from its text and not from the code; loose where the contract allows more members. */
const iso = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

export const contract = {
  start: z.strictObject({
    pid: z.int(),
    url: z.string().check(z.regex(/^http:\/\/127\.0\.0\.1:\d+$/)),
    version: z.string(),
  }),
  /** A start that ended in safe mode says so beside what the contract names. */
  safeStart: z.strictObject({
    pid: z.int(),
    url: z.string(),
    version: z.string(),
    safe: z.literal(true),
    reason: z.string(),
  }),
  status: z.looseObject({
    pid: z.int(),
    url: z.string(),
    version: z.string(),
    supervisorPid: z.nullable(z.int()),
  }),
  send: z.looseObject({
    session: z.string(),
    message: z.string(),
    state: z.enum(['settled', 'working', 'asking', 'parked']),
    replies: z.array(z.object({ text: z.string(), status: z.string() })),
  }),
  sessions: z.array(
    z.looseObject({
      id: z.string(),
      name: z.nullable(z.string()),
      kind: z.enum(['interactive', 'bg', 'daemon', 'daemon-worker']),
      state: z.enum(['idle', 'working', 'asking', 'sleeping', 'queued', 'paused', 'parked']),
      pid: z.nullable(z.int()),
      dir: z.string(),
      createdAt: iso,
      lastActivity: iso,
    }),
  ),
  approvals: z.array(
    z.looseObject({
      code: z.string(),
      session: z.string(),
      tool: z.nullable(z.string()),
      description: z.string(),
      preview: z.string(),
      createdAt: iso,
      expiresAt: iso,
    }),
  ),
  verdict: z.looseObject({
    outcome: z.enum(['accepted', 'already_answered', 'unknown', 'expired', 'not_allowed']),
    by: z.nullable(z.string()),
  }),
  doctor: z.looseObject({
    checks: z.array(z.looseObject({ name: z.string(), state: z.enum(['ok', 'warn', 'fail']) })),
  }),
} as const;
