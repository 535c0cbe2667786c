import type { PromptView } from '../../../shared/domain/prompts.ts';
import type { DaemonStatus, MessageAnswer, SessionView } from '../../../shared/protocol/bridge.ts';

/** 2026-11-30T08:00:00Z in wall ms. */
export const sampleTime = Date.UTC(2026, 10, 30, 8);

export function sampleSession(change: Partial<SessionView> = {}): SessionView {
  return {
    id: 'ses_1',
    name: 'payments',
    kind: 'interactive',
    state: 'sleeping',
    pid: null,
    dir: '/shop',
    mode: 'default',
    model: 'offline',
    createdAt: sampleTime,
    lastActivity: sampleTime,
    seq: 3,
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

export function samplePrompt(change: Partial<PromptView> = {}): PromptView {
  return {
    id: 'pmt_1',
    code: 'abcde',
    kind: 'approval',
    state: 'open',
    session: 'ses_1',
    sessionName: 'payments',
    call: 'cal_1',
    tool: 'Bash',
    headline: 'Bash: git push --force',
    description: 'sync the branch',
    preview: 'git push --force\norigin main',
    options: [],
    multiple: false,
    rule: 'Bash(git push:*)',
    dir: '/shop',
    createdAt: sampleTime,
    expiresAt: sampleTime + 86_400_000,
    verdict: null,
    by: null,
    ...change,
  };
}

export function sampleAnswer(change: Partial<MessageAnswer> = {}): MessageAnswer {
  return {
    session: 'ses_1',
    name: null,
    message: 'message-1',
    state: 'working',
    settledBy: null,
    replies: [],
    duplicate: false,
    ...change,
  };
}

export function sampleStatus(change: Partial<DaemonStatus> = {}): DaemonStatus {
  return {
    bridge: 1,
    version: '0.1.0',
    pid: 1,
    supervisorPid: 2,
    startedAt: sampleTime,
    safe: null,
    url: 'http://127.0.0.1:1',
    home: '/home',
    paused: false,
    sessions: 0,
    openPrompts: 0,
    viewers: 0,
    problems: [],
    ...change,
  };
}

/** An answer to `GET rules/standing` with these rules. */
export function sampleStanding(rules: readonly object[]): Record<string, unknown> {
  return {
    dir: '/w',
    session: null,
    mode: 'default',
    rules,
    onlyManagedRules: false,
    notices: [],
    untrusted: [],
  };
}
