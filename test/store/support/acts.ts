import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { CallResult, ReplyPart, Usage } from '../../../shared/domain/messages.ts';
import type { Origin, Route } from '../../../shared/domain/origin-route.ts';
import type { OpenStep } from '../../../shared/domain/steps.ts';
import type {
  CallAnswer,
  CallPlan,
  NewPrompt,
  NewSession,
  NewWake,
  NextStep,
  StepTerms,
  Store,
} from '../../../electron/daemon/events/port.ts';
import type { WakeRow } from '../../../electron/daemon/events/rows.ts';

export const owner: Origin = { principal: 'owner', trust: 'owner', surface: 'cli' };
export const stranger: Origin = { principal: 'tg:7', trust: 'known', surface: 'telegram' };
export const viewers: Route = { surface: 'viewers' };
export const chat: Route = { surface: 'telegram', chat: '7' };

export const terms: StepTerms = {
  reservation: { tokens: 1000, microUsd: 500 },
  limits: { dayMicroUsd: null, sessionDayTokens: null },
  policy: 'p1',
};

export const usage: Usage = {
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: 20,
};

export const plainSession: NewSession = {
  name: null,
  kind: 'interactive',
  workerType: 'kairos',
  parent: null,
  dir: '/home/x',
  mode: 'default',
  model: 'offline',
};

export async function newSession(store: Store, input: Partial<NewSession> = {}): Promise<string> {
  return (await store.createSession({ ...plainSession, ...input })).id;
}

let uniqueText = 0;

/** Admits a text of the owner; returns its wake. */
export async function say(
  store: Store,
  session: string,
  text = 'hello',
  input: Partial<NewWake> = {},
): Promise<WakeRow> {
  uniqueText += 1;
  const wake: NewWake = {
    session,
    kind: 'person',
    mode: 'next_step',
    origin: owner,
    route: viewers,
    dedupeKey: `text:${uniqueText}`,
    text,
    ...input,
  };
  return (await store.admitWake(wake)).wake;
}

/** The step of an answer that must be a request. */
export function requested(next: NextStep | null): OpenStep {
  if (next?.kind !== 'request') throw new Error(`Expected a request, got ${JSON.stringify(next)}`);
  return next.step;
}

export async function begin(store: Store, session: string, own: StepTerms = terms): Promise<OpenStep> {
  return requested(await store.nextStep(session, own));
}

/** Calls as parts: `['c1', 'Bash']`. */
export function callParts(...calls: readonly (readonly [id: string, tool: string])[]): ReplyPart[] {
  return calls.map(([id, tool]) => ({ type: 'call', id, tool, input: { of: id } }));
}

export function textPart(text: string): ReplyPart {
  return { type: 'text', text };
}

export async function reply(
  store: Store,
  session: string,
  step: string,
  parts: readonly ReplyPart[],
  own: StepTerms = terms,
): Promise<NextStep> {
  const calls = parts.some((part) => part.type === 'call');
  return store.recordReply({
    session,
    step,
    reply: { model: 'test', parts: [...parts], stop: calls ? 'calls' : 'end' },
    usage,
    terms: own,
  });
}

export function factsOf(tool: string, own: Partial<CallFacts> = {}): CallFacts {
  return {
    tool,
    input: { command: 'ls' },
    class: 'blind',
    cwd: '/home/x',
    subject: 'ls',
    access: 'command',
    paths: [],
    preimages: [],
    preview: 'ls',
    description: '',
    ...own,
  };
}

export const question: NewPrompt = {
  kind: 'approval',
  headline: 'Bash: ls',
  description: '',
  preview: 'ls',
  options: [],
  multiple: false,
  rule: 'Bash(ls)',
  ruleSubject: { tool: 'Bash', subject: 'ls' },
  dir: '/home/x',
  lifeMs: 60_000,
};

export async function beginCall(
  store: Store,
  session: string,
  step: string,
  call: string,
  plan: CallPlan,
  own: { facts?: Partial<CallFacts>; digest?: string; terms?: StepTerms } = {},
): Promise<CallAnswer> {
  return store.beginCall({
    session,
    step,
    call,
    facts: factsOf('Bash', own.facts),
    decision: { behavior: plan.do === 'ask' ? 'ask' : 'allow', by: 'test', rule: null },
    digest: own.digest ?? 'd1',
    plan,
    terms: own.terms ?? terms,
  });
}

export async function ask(
  store: Store,
  session: string,
  step: string,
  call: string,
  prompt: Partial<NewPrompt> = {},
  digest = 'd1',
): Promise<{ code: string; prompt: string }> {
  const plan = { do: 'ask', prompt: { ...question, ...prompt } } as const;
  const answer = await beginCall(store, session, step, call, plan, { digest });
  if (answer.kind !== 'asking') throw new Error(`Expected asking, got ${answer.kind}`);
  return { code: answer.code, prompt: answer.prompt };
}

export const okResult: CallResult = { outcome: 'ok', output: 'done' };

export function endCall(
  store: Store,
  session: string,
  call: string,
  result: CallResult = okResult,
): Promise<NextStep | null> {
  return store.endCall({ session, call, result, terms });
}

/** A session in a step whose reply asked for these calls. */
export async function withCalls(
  store: Store,
  ...calls: readonly (readonly [id: string, tool: string])[]
): Promise<{ session: string; step: string; wake: WakeRow }> {
  const session = await newSession(store, { brief: true });
  const wake = await say(store, session);
  const step = await begin(store, session);
  await reply(store, session, step.id, callParts(...calls));
  return { session, step: step.id, wake };
}

export const send = (
  text: string,
  own: Partial<Extract<CallPlan, { do: 'send' }>['message']> = {},
): CallPlan => ({
  do: 'send',
  message: { text, status: 'normal', inReplyTo: null, routes: [viewers], ...own },
  result: { outcome: 'ok', output: 'Sent.' },
});

/** `type` of each event, oldest first, without the first (`session.created`). */
export async function log(store: Store, session: string): Promise<string[]> {
  const events = await store.events(session, { after: 1, limit: 1000 });
  return events.map((event) => event.type);
}

export const by = { surface: 'cli', principal: 'owner', at: 1 } as const;
export const allow = { behavior: 'allow', scope: 'once' } as const;
