import type { EventBody, EventType } from '../../../shared/domain/events.ts';
import type { AnyEvent } from '../../../shared/domain/events.ts';
import { noReservation } from '../../../shared/domain/budget.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import type { SessionView } from '../../../shared/session/home-view-schema.ts';

/** Events of one session, numbered from 1; each is one second after the one before. */
export function eventLog() {
  const events: AnyEvent[] = [];
  const add = <Type extends EventType>(type: Type, body: EventBody<Type>): AnyEvent => addAny(type, body);
  const addAny = (type: string, body: unknown): AnyEvent => {
    const seq = events.length + 1;
    const origin = { principal: 'owner', trust: 'owner', surface: 'viewers' } as const;
    const event = { id: seq, session: 'ses_1', seq, at: seq * 1_000, type, v: 1, origin, body };
    events.push(event);
    return event;
  };
  return { events, add, addAny };
}

const viewers = { surface: 'viewers' };

/** A session that was created, got `messages`, and answered them in one turn with a call that asked. */
export function workedSession(messages = ['m-1']): AnyEvent[] {
  const log = eventLog();
  const refs = messages.map((message, index) => ({ message, wake: `wak_${index}`, ref: `m${index + 1}` }));
  const parent = null;
  const created = { kind: 'interactive', dir: '/shop', mode: 'default', model: 'offline', parent } as const;
  log.add('session.created', { name: 'shop', ...created });
  for (const ref of refs) {
    const text = `do ${ref.message}`;
    log.add('message.received', { ...ref, kind: 'person', mode: 'next_step', text, route: viewers });
  }
  addStep(log, refs);
  addCall(log);
  log.addAny('weather.changed', { to: 'rain' });
  log.addAny('message.sent', { text: 5 });
  const sent = { turn, call: null, text: 'done', inReplyTo: null, routes: [viewers] };
  log.add('message.sent', { ...sent, status: 'normal', source: 'tool' });
  for (const ref of refs) log.add('message.settled', { ...ref, turn, by: 'reply' });
  log.add('turn.ended', { turn, outcome: 'done' });
  return log.events;
}

const [turn, step, call] = ['trn_1', 'stp_1', 'cal_1'];
type Log = ReturnType<typeof eventLog>;

function addStep({ add }: Log, refs: readonly { wake: string; ref: string }[]): void {
  add('turn.began', { turn, cause: 'person' });
  add('step.began', {
    step,
    turn,
    n: 1,
    frame: 'f',
    wakes: refs.map(({ wake }) => wake),
    delivered: refs.map(({ ref }, index) => ({ ref, seq: index + 2 })),
    reservation: noReservation,
    policy: 'p',
  });
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 7 };
  const parts = [
    { type: 'thinking' as const, text: 'hm', provider: 'x' },
    { type: 'call' as const, id: call, tool: 'Bash', input: { command: 'ls' } },
  ];
  add('step.replied', { step, turn, reply: { model: 'offline', parts, stop: 'calls' }, usage });
}

function addCall({ add }: Log): void {
  const decision = { behavior: 'ask' as const, by: 'mode default', rule: null };
  const input = { command: 'ls' };
  add('call.began', { call, step, turn, tool: 'Bash', input, class: 'blind', decision, digest: 'd' });
  const prompt = { prompt: 'pmt_1', code: 'abcde' };
  const shown = { call, tool: 'Bash', headline: 'Bash: ls', expiresAt: 9_000_000 };
  add('prompt.opened', { ...prompt, kind: 'approval', ...shown });
  const by = { surface: 'viewers', principal: 'owner', at: 8_000 };
  add('prompt.decided', { ...prompt, verdict: { behavior: 'allow', scope: 'once' }, by });
  add('call.ended', { call, step, turn, tool: 'Bash', result: { outcome: 'ok', output: 'a\nb\n' } });
}

/** A session as lists show it. */
export function sessionRow(change: Partial<SessionView> = {}): SessionView {
  return {
    id: 'ses_1',
    name: 'shop',
    kind: 'interactive',
    state: 'idle',
    pid: null,
    dir: '/shop',
    mode: 'default',
    model: 'offline',
    createdAt: 1,
    lastActivity: 1,
    seq: 0,
    openPrompts: 0,
    pending: 0,
    paused: false,
    parked: null,
    nextWakeAt: null,
    doing: null,
    background: 0,
    ...change,
  };
}

/** An open approval. */
export function promptRow(change: Partial<PromptView> = {}): PromptView {
  return {
    id: 'pmt_1',
    code: 'abcde',
    kind: 'approval',
    state: 'open',
    session: 'ses_1',
    sessionName: 'shop',
    call: 'cal_1',
    tool: 'Bash',
    headline: 'Bash: ls',
    description: '',
    preview: 'ls',
    options: [],
    multiple: false,
    rule: null,
    dir: '/shop',
    createdAt: 1,
    expiresAt: 2,
    verdict: null,
    by: null,
    ...change,
  };
}
