import type { Verdict } from '../../../../shared/domain/prompts.ts';
import { modeAfterPlan } from '../../../../shared/domain/sessions.ts';
import type { ClaimPrompt, Claimed } from '../port.ts';
import type { PromptRow } from '../rows.ts';
import { prompts } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';
import { badInput } from './rejections.ts';
import { storeRule } from './rules.ts';
import { keepTrust } from './trust.ts';
import { setMode } from './sessions.ts';
import type { Tx } from './tx.ts';
import { wakeCall } from './call-wakes.ts';

/** The prompt of that id, else the open one of that code, else the newest that had it. */
export function findPrompt(rows: RowStore, idOrCode: string): PromptRow | null {
  const byId = rows.get(prompts, idOrCode);
  if (byId) return byId;
  const known = rows.find(prompts, { eq: { code: idOrCode }, order: 'newest' });
  return known.find((prompt) => prompt.state === 'open') ?? known[0] ?? null;
}

/** The first verdict wins, with its rule and the wake of its call in the same commit. */
export function claimPrompt(tx: Tx, input: ClaimPrompt): Claimed {
  const prompt = findPrompt(tx.rows, input.code);
  if (!prompt) return { outcome: 'unknown', prompt: null };
  if (prompt.state === 'decided') return { outcome: 'already_answered', prompt };
  if (prompt.state !== 'open') return { outcome: 'expired', prompt };
  if (prompt.expiresAt <= tx.now) return { outcome: 'expired', prompt: expire(tx, prompt) };
  requireFitting(prompt, input.verdict);
  return { outcome: 'accepted', prompt: decide(tx, prompt, input) };
}

function requireFitting(prompt: PromptRow, verdict: Verdict): void {
  const question = prompt.kind === 'question' || prompt.kind === 'elicitation';
  if (verdict.behavior === 'answer' && !question) throw badInput('This is decided by allow or deny.');
  if (verdict.behavior === 'allow' && question) throw badInput('This is a question: it needs an answer.');
}

function decide(tx: Tx, prompt: PromptRow, { verdict, by }: ClaimPrompt): PromptRow {
  const decided: PromptRow = { ...prompt, state: 'decided', verdict, by };
  tx.rows.update(prompts, [prompt.id], { state: 'decided', verdict, by });
  const draft = tx.anySession(prompt.session);
  draft.set({ openPrompts: draft.row.openPrompts - 1, lastActivity: tx.now });
  tx.append(draft, { type: 'prompt.decided', body: { prompt: prompt.id, code: prompt.code, verdict, by } });
  keepRule(tx, prompt, { verdict, by });
  keepTrust(tx, prompt, verdict.behavior === 'allow', by);
  endPlanMode(tx, prompt, verdict);
  goOn(tx, prompt);
  return decided;
}

function keepRule(tx: Tx, prompt: PromptRow, { verdict, by }: Pick<ClaimPrompt, 'verdict' | 'by'>): void {
  if (prompt.kind !== 'approval' || !prompt.ruleSubject) return;
  if (verdict.behavior !== 'allow' || verdict.scope === 'once') return;
  const session = verdict.scope === 'session' ? prompt.session : null;
  storeRule(tx, { ...prompt.ruleSubject, effect: 'allow', session, by });
}

/** An approved plan ends plan mode in the commit of its verdict; a mode that was set meanwhile stays. */
function endPlanMode(tx: Tx, prompt: PromptRow, verdict: Verdict): void {
  if (prompt.kind !== 'plan' || verdict.behavior !== 'allow') return;
  if (tx.anySession(prompt.session).row.mode === 'plan')
    setMode(tx, prompt.session, modeAfterPlan(verdict.scope));
}

/** The call that waited goes on; the daemon plans it by the verdict. */
function goOn(tx: Tx, prompt: PromptRow): void {
  tx.promptChanged(prompt.id);
  tx.workChanged();
  if (prompt.call === null) return;
  const kind = prompt.kind === 'question' ? 'answer' : 'verdict';
  wakeCall(tx, tx.anySession(prompt.session), { kind, call: prompt.call, dedupeKey: `verdict:${prompt.id}` });
}

function expire(tx: Tx, prompt: PromptRow): PromptRow {
  tx.rows.update(prompts, [prompt.id], { state: 'expired' });
  const draft = tx.anySession(prompt.session);
  draft.set({ openPrompts: draft.row.openPrompts - 1 });
  tx.append(draft, { type: 'prompt.expired', body: { prompt: prompt.id, code: prompt.code } });
  keepTrust(tx, prompt, false, null);
  goOn(tx, prompt);
  return { ...prompt, state: 'expired' };
}

/** Ends every open prompt whose time has come; their calls go on as denied. */
export function expirePrompts(tx: Tx): PromptRow[] {
  return tx.rows
    .find(prompts, { eq: { state: 'open' }, lte: { expiresAt: tx.now } })
    .map((prompt) => expire(tx, prompt));
}
