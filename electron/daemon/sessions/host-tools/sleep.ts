import * as z from 'zod/mini';
import type { CallPlan } from '../../events/port.ts';
import { badInput, type HostInput } from './host-input.ts';

/** 30 days: longer naps belong in a schedule. */
const maxSleepSeconds = 30 * 24 * 3600;
const sleepSchema = z.object({
  seconds: z.number().check(z.positive(), z.lte(maxSleepSeconds)),
  reason: z._default(z.string(), ''),
});

/** Waits as a row, without a process. */
export function planSleep({ facts, now }: HostInput): CallPlan {
  const parsed = sleepSchema.safeParse(facts.input);
  if (!parsed.success) return badInput('Sleep', parsed.error);
  return { do: 'sleep', until: now + Math.ceil(parsed.data.seconds * 1000) };
}
