import { prompts } from '../rows/tables.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

/** Withdraws a prompt that nobody needs any more; one that is not open stays as it is. */
export function withdrawPrompt(tx: Tx, draft: SessionDraft, id: string, reason: string): void {
  const prompt = tx.rows.get(prompts, id);
  if (prompt?.state !== 'open') return;
  tx.rows.update(prompts, [id], { state: 'withdrawn' });
  draft.set({ openPrompts: draft.row.openPrompts - 1 });
  tx.append(draft, { type: 'prompt.withdrawn', body: { prompt: id, code: prompt.code, reason } });
  tx.promptChanged(id);
}

/** Withdraws every open prompt of the session's calls; a question about its directory outlives the turn. */
export function closePrompts(tx: Tx, draft: SessionDraft, reason: string): void {
  for (const { id, call } of openPrompts(tx, draft)) if (call !== null) withdrawPrompt(tx, draft, id, reason);
}

/** Withdraws every open prompt of the session. */
export function closeAllPrompts(tx: Tx, draft: SessionDraft, reason: string): void {
  for (const { id } of openPrompts(tx, draft)) withdrawPrompt(tx, draft, id, reason);
}

function openPrompts(tx: Tx, draft: SessionDraft) {
  return tx.rows.find(prompts, { eq: { session: draft.id, state: 'open' } });
}
