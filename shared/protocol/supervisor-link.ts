import * as z from 'zod/mini';

/** Exit codes of the daemon that mean something to its supervisor; any other is a crash. */
export const daemonExit = {
  /** Stopped in order: the supervisor ends too. */
  stopped: 0,
  /** Another daemon holds the lock of this home (EX_TEMPFAIL). */
  lockHeld: 75,
  /** Stopped in order by a signal that its supervisor did not send: the supervisor starts it again (as shells say SIGTERM). */
  terminated: 143,
  /** Configuration or schema that a restart cannot cure (EX_CONFIG): safe mode at once. */
  configuration: 78,
} as const;

/** What the daemon tells its supervisor over the process's message channel. */
export const daemonMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), pid: z.int(), url: z.string(), version: z.string() }),
  /** The daemon has begun to stop by itself; it will end with code 0, or `terminated`. */
  z.object({ type: z.literal('stopping'), reason: z.string() }),
  /** One sentence for people; sent before ending with a code other than 0. */
  z.object({ type: z.literal('failed'), reason: z.string(), code: z.string() }),
]);

/** A message from the daemon to its supervisor. */
export type DaemonMessage = z.infer<typeof daemonMessageSchema>;

/** What the supervisor tells the daemon: stop in order within `graceMs`, after which it is killed. */
export const supervisorMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stop'), graceMs: z.int() }),
]);

/** A message from the supervisor to the daemon. */
export type SupervisorMessage = z.infer<typeof supervisorMessageSchema>;

/**
 * starting -> running | safe (running in safe mode); waiting: before a restart; stopping -> stopped; failed: also safe mode
 * could not be kept up.
 */
export const supervisorPhases = [
  'starting',
  'running',
  'safe',
  'waiting',
  'stopping',
  'stopped',
  'failed',
] as const;

/** Content of `supervisor.json`: information for `kairos daemon status` and doctor, never a lock. Times are wall ms. */
export const supervisorStateSchema = z.object({
  pid: z.int(),
  startTime: z.string(),
  daemonPid: z.nullable(z.int()),
  url: z.nullable(z.string()),
  state: z.enum(supervisorPhases),
  lastFailure: z.nullable(z.object({ at: z.number(), code: z.string(), reason: z.string() })),
  restarts: z.int(),
  tied: z.boolean(),
});

/** What `supervisor.json` says. */
export type SupervisorState = z.infer<typeof supervisorStateSchema>;
