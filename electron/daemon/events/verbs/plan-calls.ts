import type { CallPart, CallResult } from '../../../../shared/domain/messages.ts';
import { effects } from '../rows/tables.ts';
import { plannedEffect } from './sending.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

/**
 * Plans the calls of a stored reply in the model's order. Those after the first `most` end in the same commit without having
 * begun, so that every call has its result and none of them can ever run.
 */
export function planCalls(tx: Tx, draft: SessionDraft, calls: readonly CallPart[], most: number): void {
  for (const [index, call] of calls.entries()) {
    if (index < most) planCall(tx, draft, call, null);
    else endUnrun(tx, draft, call, { outcome: 'error', output: notRun(index, most, calls.length) });
  }
}

function planCall(tx: Tx, draft: SessionDraft, call: CallPart, result: CallResult | null): void {
  tx.rows.insert(effects, {
    ...plannedEffect(tx.now),
    id: call.id,
    session: draft.id,
    kind: 'call',
    cause: draft.step.id,
    class: 'blind',
    key: call.id,
    tool: call.tool,
    input: call.input ?? null,
    ...(result === null ? {} : { state: 'failed' as const, result }),
  });
}

function endUnrun(tx: Tx, draft: SessionDraft, call: CallPart, result: CallResult): void {
  planCall(tx, draft, call, result);
  const { id: step, turn } = draft.step;
  tx.append(draft, { type: 'call.ended', body: { call: call.id, step, turn, tool: call.tool, result } });
}

/** Said in full once: the rest stand beside it in the same request, perhaps thousands of them. */
function notRun(index: number, most: number, all: number): string {
  if (index > most) return `Not run (call ${index + 1} of ${all}, ${most} are allowed).`;
  const which = most + 1 === all ? `Call ${all} was` : `Calls ${most + 1} to ${all} were`;
  return `Not run: this reply asked for ${all} calls, and at most ${most} of one reply are run (agent.callsPerReply). ${which} not begun and changed nothing. Ask again for what is still needed, at most ${most} calls at a time.`;
}
