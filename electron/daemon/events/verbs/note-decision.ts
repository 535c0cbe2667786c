import type { BeginCall } from '../port.ts';
import type { EffectRow } from '../rows.ts';
import { effects } from '../rows/tables.ts';
import type { Tx } from './tx.ts';

/** What was decided on a call. */
export type CallDecision = Omit<BeginCall, 'plan'>;

/** Stores the decision on a call with its facts; the call does not start by it. */
export function noteDecision(tx: Tx, call: EffectRow, input: CallDecision, prompt = call.prompt): void {
  const { facts, decision, digest } = input;
  tx.rows.update(effects, [call.id], {
    facts,
    decision,
    digest,
    class: facts.class,
    prompt,
    updatedAt: tx.now,
  });
}
