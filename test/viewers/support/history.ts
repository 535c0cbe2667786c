import type { Store, StepTerms } from '../../../electron/daemon/events/port.ts';
import type { SessionRow } from '../../../electron/daemon/events/rows.ts';
import { noReservation } from '../../../shared/domain/budget.ts';
import { noUsage, type ReplyPart } from '../../../shared/domain/messages.ts';
import { viewersRoute } from '../../../shared/domain/origin-route.ts';

export const terms: StepTerms = {
  reservation: noReservation,
  limits: { dayMicroUsd: null, sessionDayTokens: null },
  policy: 'p1',
};

/** A new session of a person. */
export function makeSession(store: Store, name: string | null = null): Promise<SessionRow> {
  return store.createSession({
    name,
    kind: 'interactive',
    workerType: 'kairos',
    parent: null,
    dir: '/tmp',
    mode: 'default',
    model: 'offline',
  });
}

/** Stores a message of the owner. */
export async function receive(
  store: Store,
  session: string,
  message: string,
  text = `text of ${message}`,
): Promise<void> {
  await store.admitWake({
    session,
    kind: 'person',
    mode: 'next_step',
    origin: { principal: 'owner', trust: 'owner', surface: 'viewers' },
    route: viewersRoute,
    dedupeKey: `message:${message}`,
    text,
    message,
  });
}

/** Begins the session's next step; its id. */
export async function beginStep(store: Store, session: string): Promise<string> {
  const next = await store.nextStep(session, terms);
  if (next.kind !== 'request') throw new Error(`no step: ${next.kind}`);
  return next.step.id;
}

/** Stores the reply of a step. */
export function reply(store: Store, session: string, step: string, parts: ReplyPart[]) {
  const stop = parts.some(({ type }) => type === 'call') ? 'calls' : 'end';
  return store.recordReply({
    session,
    step,
    reply: { model: 'offline', parts, stop },
    usage: noUsage,
    terms,
  });
}

/** One turn that answers everything waiting with a text; the nudge step included. */
export async function answerTurn(store: Store, session: string, text: string): Promise<void> {
  for (let steps = 0; steps < 3; steps += 1) {
    const next = await store.nextStep(session, terms);
    if (next.kind === 'idle') return;
    if (next.kind === 'request') await reply(store, session, next.step.id, [{ type: 'text', text }]);
  }
}

/** A call that asks the person: a turn begins and stops at an open approval; its code. */
export async function askPerson(store: Store, session: string, preview = 'rm -rf build'): Promise<string> {
  await receive(store, session, `ask-${session}-${preview.length}`);
  const step = await beginStep(store, session);
  const call = `cal_${step}`;
  await reply(store, session, step, [{ type: 'call', id: call, tool: 'Bash', input: { command: preview } }]);
  const answer = await store.beginCall({
    session,
    step,
    call,
    facts: {
      tool: 'Bash',
      input: { command: preview },
      class: 'blind',
      cwd: '/tmp',
      subject: preview,
      access: 'command',
      paths: [],
      preimages: [],
      preview,
      description: '',
    },
    decision: { behavior: 'ask', by: 'mode default', rule: null },
    digest: 'd',
    terms,
    plan: {
      do: 'ask',
      prompt: {
        kind: 'approval',
        headline: 'Bash',
        description: '',
        preview,
        options: [],
        multiple: false,
        rule: null,
        ruleSubject: null,
        dir: '/tmp',
        lifeMs: 60_000,
      },
    },
  });
  if (answer.kind !== 'asking') throw new Error(`not asking: ${answer.kind}`);
  return answer.code;
}
