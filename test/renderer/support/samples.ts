import type { PromptView } from '../../../shared/domain/prompts.ts';
import type { AnyEvent } from '../../../shared/domain/events.ts';
import type { HomeView, SessionSnapshot, SessionView } from '../../../shared/protocol/bridge.ts';

export function session(id: string, change: Partial<SessionView> = {}): SessionView {
  return {
    id,
    name: id,
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

export function prompt(id: string, change: Partial<PromptView> = {}): PromptView {
  return {
    id,
    code: 'abcde',
    kind: 'approval',
    state: 'open',
    session: 's',
    sessionName: 's',
    call: null,
    tool: 'Bash',
    headline: 'Bash: ls',
    description: '',
    preview: 'ls',
    options: [],
    multiple: false,
    rule: 'Bash(ls)',
    dir: '/shop',
    createdAt: 1,
    expiresAt: 2,
    verdict: null,
    by: null,
    ...change,
  };
}

export function home(change: Partial<HomeView> = {}): HomeView {
  return {
    sessions: [],
    prompts: [],
    problems: [],
    paused: false,
    usage: { dayMicroUsd: 0, limitMicroUsd: null },
    daemon: { version: '1', pid: 1, startedAt: 1, safe: null },
    ...change,
  };
}

/** A message of the owner as an event. */
export function received(seq: number, message: string, id = 's'): AnyEvent {
  return {
    id: seq,
    session: id,
    seq,
    at: seq,
    type: 'message.received',
    v: 1,
    origin: { principal: 'owner', trust: 'owner', surface: 'viewers' },
    body: {
      message,
      wake: `w${seq}`,
      ref: `m${seq}`,
      kind: 'person',
      mode: 'next_step',
      text: message,
      route: { surface: 'viewers' },
    },
  };
}

export function snapshot(
  events: readonly AnyEvent[],
  change: Partial<SessionSnapshot> = {},
): SessionSnapshot {
  return { session: session('s'), events: [...events], older: false, prompts: [], draft: null, ...change };
}
