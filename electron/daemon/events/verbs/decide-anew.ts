import type { PromptRow } from '../rows.ts';
import { prompts } from '../rows/tables.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

type OpenApproval = Pick<PromptRow, 'session' | 'call' | 'kind'>;

/**
 * What calls are decided by has changed: those that wait for a person and that `concerns` names are planned again by their
 * runners. Their prompts stay open meanwhile; a verdict that comes first counts.
 */
export function decideAnew(tx: Tx, concerns: (prompt: OpenApproval) => boolean): void {
  const open = tx.rows.pick(prompts, ['session', 'call', 'kind'], { eq: { state: 'open' } });
  for (const prompt of open) {
    if (prompt.kind !== 'approval' || prompt.call === null || !concerns(prompt)) continue;
    tx.anySession(prompt.session).set({ decideAnew: 'wanted' });
    tx.workChanged();
  }
}

/** The waiting call was planned again; `asks`: it still waits, and what changed since its runner was told is looked at once more. */
export function decidedAnew(draft: SessionDraft, asks: boolean): void {
  const { decideAnew: mark } = draft.row;
  if (mark === null || (asks && mark === 'wanted')) return;
  draft.set({ decideAnew: null });
}
