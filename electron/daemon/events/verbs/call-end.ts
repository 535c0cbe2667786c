import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { EffectState } from '../../../../shared/domain/effects.ts';
import type { CallOutcome, CallResult } from '../../../../shared/domain/messages.ts';
import { withCall } from '../../../../shared/domain/steps.ts';
import type { EffectRow } from '../rows.ts';
import { effects } from '../rows/tables.ts';
import { isBlobHash } from '../blobs/blob-store.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';
import { cancelCallWakes } from './call-wakes.ts';
import { withdrawPrompt } from './close-prompts.ts';

/** Stores how a call ended; it must belong to the open step and not have ended before. */
export function storeCallEnd(tx: Tx, draft: SessionDraft, call: EffectRow, result: CallResult): void {
  const { step, turn } = draft;
  const worked = withCall(turn, call.tool ?? '');
  if (worked !== turn) draft.set({ turn: worked });
  tx.rows.update(effects, [call.id], { state: endState(result.outcome), result, updatedAt: tx.now });
  cancelCallWakes(tx, draft, call.id);
  if (call.prompt !== null) withdrawPrompt(tx, draft, call.prompt, 'The call ended.');
  // A tool's spill is a file of its session's scratch folder, which no backup holds; only a blob is referred to.
  if (result.spill !== undefined && isBlobHash(result.spill)) tx.refer(result.spill, `call:${call.id}`);
  for (const image of result.images ?? []) tx.refer(image.hash, `call:${call.id}`);
  tx.append(draft, {
    type: 'call.ended',
    body: { call: call.id, step: step.id, turn: step.turn, tool: call.tool ?? '', result },
  });
}

function endState(outcome: CallOutcome): EffectState {
  switch (outcome) {
    case 'ok':
      return 'done';
    case 'unknown':
      return 'uncertain';
    case 'error':
    case 'denied':
    case 'interrupted':
      return 'failed';
    default:
      return assertNever(outcome, 'call outcome');
  }
}
