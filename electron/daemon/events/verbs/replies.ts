import type { CallPart, Reply, Usage } from '../../../../shared/domain/messages.ts';
import type { NextStep, StepTerms } from '../port.ts';
import { blobRefs, effects } from '../rows/tables.ts';
import { finishStep } from './after-step.ts';
import { planCalls } from './plan-calls.ts';
import { badInput, stale } from './rejections.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';
import { settle } from './usage.ts';

/** A reply to store; `context` is the hash of a stored blob. */
export interface ReplyInput {
  readonly session: string;
  readonly step: string;
  readonly reply: Reply;
  readonly usage: Usage;
  readonly terms: StepTerms;
  readonly context: string | null;
  /** Without calls: what the model is told so that it goes on. */
  readonly goOn?: string;
}

/** Stores the whole reply and plans its calls; without calls the turn goes on or ends in the same commit. */
export function recordReply(tx: Tx, input: ReplyInput): NextStep {
  const draft = tx.session(input.session);
  const { step } = draft;
  if (step.id !== input.step || step.state !== 'began')
    throw stale('The step this reply belongs to moved on.');
  const calls = input.reply.parts.filter((part) => part.type === 'call');
  requireNewCalls(tx, calls);
  const { reply, usage } = input;
  const event = tx.append(draft, {
    type: 'step.replied',
    body: { step: step.id, turn: step.turn, reply, usage },
  });
  settle(tx, step.id, usage, reply.model);
  const most = input.terms.maxCalls ?? Number.POSITIVE_INFINITY;
  const replied = { ...step, state: 'replied' as const, calls: calls.slice(0, most).map((call) => call.id) };
  draft.set({ step: replied, replySeq: event.seq, crash: null, lastActivity: tx.now });
  if (input.context !== null) keepContext(tx, draft, input.context);
  planCalls(tx, draft, calls, most);
  const first = calls[0];
  if (!first) {
    const wish = input.goOn === undefined ? {} : { goOn: input.goOn };
    return finishStep(tx, draft, { hadCalls: false, finalText: textOf(reply), ...wish }, input.terms);
  }
  return {
    kind: 'calls',
    step: replied,
    reply,
    calls: tx.rows.find(effects, { eq: { cause: step.id, kind: 'call' } }),
  };
}

function requireNewCalls(tx: Tx, calls: readonly CallPart[]): void {
  const seen = new Set<string>();
  for (const { id } of calls) {
    if (seen.has(id) || tx.rows.get(effects, id)) throw badInput(`The call id "${id}" was used before.`);
    seen.add(id);
  }
}

/** The newest opaque context replaces the one before. */
function keepContext(tx: Tx, draft: SessionDraft, hash: string): void {
  const owner = `context:${draft.id}`;
  const before = draft.row.context;
  if (before === hash) return;
  if (before !== null) tx.rows.delete(blobRefs, before, owner);
  tx.refer(hash, owner);
  draft.set({ context: hash });
}

function textOf(reply: Reply): string {
  return reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
