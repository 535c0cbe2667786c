import * as z from 'zod/mini';
import { oneLine, visibleText } from '../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import { type Route, routeKey, viewersRoute } from '../../../shared/domain/origin-route.ts';
import type { CallFacts, Decision } from '../../../shared/domain/permissions/policy.ts';
import { optionSchema } from '../../../shared/domain/prompts.ts';
import type { CallPlan } from '../events/port.ts';
import type { PromptRow } from '../events/rows.ts';
import type { Planned } from './call-planner.ts';

/** A message of the turn that still waits for its answer. */
export interface Owed {
  readonly wake: string;
  readonly ref: string;
  readonly route: Route;
  readonly answered: boolean;
}

/** Everything a host tool's plan follows from; `prompt`: the one opened for this call before, `now` in wall ms. */
export interface HostInput {
  readonly facts: CallFacts;
  readonly prompt: PromptRow | null;
  readonly owed: readonly Owed[];
  readonly now: number;
  readonly promptLifeMs: number;
}

const sendSchema = z.object({
  message: z.string().check(z.minLength(1)),
  status: z._default(z.enum(['normal', 'proactive']), 'normal'),
  in_reply_to: z.optional(z.string()),
});
const askSchema = z.object({
  question: z.string().check(z.minLength(1)),
  options: z._default(z.array(optionSchema), []),
  multiple: z._default(z.boolean(), false),
});
/** 30 days: longer naps belong in a schedule. */
const maxSleepSeconds = 30 * 24 * 3600;
const silenceSchema = z.object({ reason: z._default(z.string(), ''), in_reply_to: z.optional(z.string()) });
const sleepSchema = z.object({
  seconds: z.number().check(z.positive(), z.lte(maxSleepSeconds)),
  reason: z._default(z.string(), ''),
});

const hostTools = new Set(['SendUserMessage', 'AskUserQuestion', 'Sleep', 'NoReply']);

/** True for tools that the daemon does itself, in the commit that records them. */
export function isHostTool(tool: string): boolean {
  return hostTools.has(tool);
}

const allowed: Decision = { behavior: 'allow', by: 'talks only to the person', rule: null };

/** What to do with a host tool's call; bad input ends it with a sentence for the model. */
export function planHostTool(input: HostInput): Planned {
  return { plan: hostPlan(input), decision: allowed };
}

/** The message that a SendUserMessage says it answers, as far as its input can be read. */
export function namedMessage(input: unknown): string | null {
  return sendSchema.safeParse(input).data?.in_reply_to ?? null;
}

function hostPlan(input: HostInput): CallPlan {
  switch (input.facts.tool) {
    case 'SendUserMessage':
      return planSend(input);
    case 'AskUserQuestion':
      return planAsk(input);
    case 'NoReply':
      return planSilence(input);
    default:
      return planSleep(input);
  }
}

function planSend({ facts, owed }: HostInput): CallPlan {
  const parsed = sendSchema.safeParse(facts.input);
  if (!parsed.success) return failed(`SendUserMessage: ${z.prettifyError(parsed.error)}`);
  const { message, status, in_reply_to: inReplyTo } = parsed.data;
  const route = replyRoute(owed, inReplyTo);
  if (typeof route === 'string') return failed(route);
  const out = { text: message, status, inReplyTo: inReplyTo ?? null, routes: [route] };
  return { do: 'send', message: out, result: { outcome: 'ok', output: 'Delivered.' } };
}

function replyRoute(owed: readonly Owed[], inReplyTo: string | undefined): Route | string {
  if (inReplyTo !== undefined) {
    const found = owed.find((message) => message.ref === inReplyTo);
    if (found) return found.route;
    const known = owed.map((message) => message.ref).join(', ') || 'none';
    return `SendUserMessage: no message ${inReplyTo} in this turn (there is: ${known}).`;
  }
  const open = owed.filter((message) => !message.answered);
  const routes = new Map(
    (open.length > 0 ? open : owed).map((message) => [routeKey(message.route), message.route]),
  );
  if (routes.size > 1) {
    const refs = open.map((message) => message.ref).join(', ');
    return `SendUserMessage: messages of several chats wait for an answer; say which one with in_reply_to (${refs}).`;
  }
  return [...routes.values()][0] ?? viewersRoute;
}

/** Small talk in a group may stay unanswered; a person who writes to Kairos itself always gets an answer. */
function planSilence({ facts, owed }: HostInput): CallPlan {
  const parsed = silenceSchema.safeParse(facts.input);
  if (!parsed.success) return failed(`NoReply: ${z.prettifyError(parsed.error)}`);
  const named = parsed.data.in_reply_to;
  const meant = owed.filter((message) => !message.answered && (named === undefined || message.ref === named));
  const silent = meant.filter((message) => message.route.surface !== viewersRoute.surface);
  if (silent.length === 0)
    return failed('NoReply: only messages of a channel may stay unanswered; answer this one.');
  const refs = silent.map((message) => message.ref).join(', ');
  const result: CallResult = { outcome: 'ok', output: `Handled without an answer: ${refs}.` };
  return { do: 'silence', wakes: silent.map((message) => message.wake), result };
}

function planAsk({ facts, prompt, promptLifeMs }: HostInput): CallPlan {
  if (prompt && prompt.state !== 'open') return { do: 'end', result: questionResult(prompt) };
  const parsed = askSchema.safeParse(facts.input);
  if (!parsed.success) return failed(`AskUserQuestion: ${z.prettifyError(parsed.error)}`);
  const { question, options, multiple } = parsed.data;
  return {
    do: 'ask',
    prompt: {
      kind: 'question',
      headline: oneLine(question, 200),
      description: '',
      preview: visibleText(question),
      options,
      multiple,
      rule: null,
      ruleSubject: null,
      dir: facts.cwd,
      lifeMs: promptLifeMs,
    },
  };
}

function questionResult(prompt: PromptRow): CallResult {
  const verdict = prompt.verdict;
  if (verdict?.behavior === 'answer') return { outcome: 'ok', output: verdict.text };
  if (verdict?.behavior === 'deny') {
    const reason = verdict.reason ? `: ${verdict.reason}` : '.';
    return { outcome: 'denied', output: `The person does not want to answer${reason}` };
  }
  return { outcome: 'error', output: 'Nobody answered in time. Go on with what you know, and say so.' };
}

function planSleep({ facts, now }: HostInput): CallPlan {
  const parsed = sleepSchema.safeParse(facts.input);
  if (!parsed.success) return failed(`Sleep: ${z.prettifyError(parsed.error)}`);
  return { do: 'sleep', until: now + Math.ceil(parsed.data.seconds * 1000) };
}

function failed(output: string): CallPlan {
  return { do: 'end', result: { outcome: 'error', output } };
}
