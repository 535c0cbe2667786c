import { assertNever } from '../../../shared/base/assert-never.ts';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import type { RunEnd, Runner } from '../../../shared/domain/runner.ts';
import type { Grant } from '../../../shared/protocol/worker-link.ts';
import { runCalls } from './call-step.ts';
import { Conversation } from './conversation.ts';
import { runModelStep } from './model-step.ts';
import { pinnedFrame } from './pin-frame.ts';
import type { HookPort } from './hook-port.ts';
import { newHookState } from './hook-state.ts';
import type { FramePort, ModelPort, SessionPort, ToolPort } from './ports.ts';
import { SessionMemory } from './session-memory.ts';
import { inputLimit } from './tokens.ts';
import { contextSize, type Work } from './work.ts';

/** What the loop is made of; one loop runs one leased session. */
export interface LoopParts {
  readonly model: ModelPort;
  readonly tools: ToolPort;
  readonly frames: FramePort;
  /** Absent: none. */
  readonly hooks?: HookPort;
}

/** What the loop does next: follow a grant, end, or ask the daemon. */
type Next = { readonly grant: Grant } | { readonly end: RunEnd } | 'ask';

/** Drops in a row after which something is wrong that asking again will not mend. */
const mostStaleInARow = 20;

/** The built-in runner: context rebuilt from events, one model request per step, calls in order. */
export function createAgentLoop(parts: LoopParts): Runner<SessionPort> {
  let work: Work | null = null;
  const memory = new SessionMemory();
  return {
    async run(port, signal) {
      const { problem } = parts.model;
      if (problem !== null) return parked(port, problem.code, problem.reason);
      work ??= await beginWork(parts, port);
      const end = await runUntilNothingToDo(work, signal);
      if (end.why === 'idle') memory.consider(work, signal);
      return end;
    },
  };
}

async function beginWork(parts: LoopParts, port: SessionPort): Promise<Work> {
  const { model, tools, frames, hooks } = parts;
  const { turnSeq, compaction, memo } = port.lease;
  const frame = await pinnedFrame(port, frames);
  const room = inputLimit(model.limits);
  const start =
    model.contextNeed === 'turn'
      ? { known: turnSeq, compaction: null, room }
      : { known: 0, compaction, room };
  return {
    model,
    tools,
    frames,
    port,
    frame,
    memo,
    conversation: new Conversation(start),
    ...newHookState(hooks),
  };
}

async function runUntilNothingToDo(work: Work, signal: StopSignal): Promise<RunEnd> {
  let next: Next = 'ask';
  let stale = 0;
  while (!signal.aborted && !work.port.interrupt.aborted) {
    const asked = next === 'ask';
    try {
      next = await advance(work, next, signal);
      if (!asked) stale = 0;
    } catch (error) {
      if (errorCode(error) !== 'stale') throw error;
      // Asking itself is stale: the lease is somebody else's by now.
      if (asked) return { why: 'asked' };
      stale += 1;
      if (stale > mostStaleInARow) return { why: 'failed', reason: errorMessage(error) };
      next = 'ask';
    }
    if (typeof next === 'object' && 'end' in next) return next.end;
  }
  return { why: 'asked' };
}

async function advance(work: Work, next: Next, signal: StopSignal): Promise<Next> {
  if (next === 'ask') {
    const { known } = work.conversation;
    return { grant: await work.port.ask('nextStep', { known, ...contextSize(work) }) };
  }
  if ('end' in next) return next;
  const { grant } = next;
  switch (grant.kind) {
    case 'request':
      return request(work, grant, signal);
    case 'calls': {
      const after = await runCalls(work, grant, signal);
      if (after.kind === 'grant') return { grant: after.grant };
      return after.kind === 'wait' ? { end: { why: 'waiting' } } : 'ask';
    }
    case 'turn_ended':
      return 'ask';
    case 'waiting':
    case 'idle':
      return { end: { why: grant.kind } };
    case 'refused':
      return { end: { why: 'refused', reason: grant.reason } };
    default:
      return assertNever(grant, 'grant');
  }
}

/** A model that fails parks the session: asking it again in a loop would cost money and tell nobody. */
async function request(
  work: Work,
  grant: Extract<Grant, { kind: 'request' }>,
  signal: StopSignal,
): Promise<Next> {
  const after = await runModelStep(work, grant, signal);
  if (after.kind === 'grant') return { grant: after.grant };
  if (after.kind === 'left') return { end: { why: 'asked' } };
  if (work.port.interrupt.aborted) return { end: { why: 'asked' } };
  return { end: await parked(work.port, after.code, after.reason, after.unspent) };
}

async function parked(port: SessionPort, code: string, reason: string, unspent = false): Promise<RunEnd> {
  await port.ask('park', { code, reason, ...(unspent ? { unspent } : {}) });
  return { why: 'refused', reason };
}
