import * as z from 'zod/mini';
import { viewersRoute } from '../../../../shared/domain/origin-route.ts';
import type { CallPlan } from '../../events/port.ts';
import { badInput, failed, type HostInput, ok } from './host-input.ts';

const silenceSchema = z.object({ reason: z._default(z.string(), ''), in_reply_to: z.optional(z.string()) });

/** Small talk in a group may stay unanswered; a person who writes to Kairos itself always gets an answer. */
export function planSilence({ facts, owed }: HostInput): CallPlan {
  const parsed = silenceSchema.safeParse(facts.input);
  if (!parsed.success) return badInput('NoReply', parsed.error);
  const named = parsed.data.in_reply_to;
  const meant = owed.filter((message) => !message.answered && (named === undefined || message.ref === named));
  const silent = meant.filter((message) => message.route.surface !== viewersRoute.surface);
  if (silent.length === 0)
    return failed('NoReply: only messages of a channel may stay unanswered; answer this one.');
  const refs = silent.map((message) => message.ref).join(', ');
  const wakes = silent.map((message) => message.wake);
  return { do: 'silence', wakes, result: ok(`Handled without an answer: ${refs}.`) };
}
