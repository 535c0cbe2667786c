import { canonicalJson } from '../../../../shared/base/json.ts';
import { approvalCode } from '../../../../shared/domain/approval-code.ts';
import { idPrefix } from '../../../../shared/domain/ids.ts';
import { selfOrigin } from '../../../../shared/domain/origin-route.ts';
import { sha256 } from '../blobs/hash.ts';
import type { CallAnswer, NewPrompt } from '../port.ts';
import type { EffectRow, PromptRow } from '../rows.ts';
import { meta, prompts } from '../rows/tables.ts';
import { withdrawPrompt } from './close-prompts.ts';
import { type CallDecision, noteDecision } from './note-decision.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

/** Asks a person about a call. While the same question is open, asking again gives the same code; changed facts ask anew. */
export function askPerson(
  tx: Tx,
  draft: SessionDraft,
  call: EffectRow,
  input: CallDecision & { prompt: NewPrompt },
): CallAnswer {
  const before = call.prompt === null ? null : tx.rows.get(prompts, call.prompt);
  if (before?.state === 'open') {
    if (before.digest === input.digest) return stillAsking(tx, before, input.prompt);
    withdrawPrompt(tx, draft, before.id, whatChanged(call, input));
  }
  const prompt = makePrompt(tx, draft, call, input);
  tx.rows.insert(prompts, prompt);
  noteDecision(tx, call, input, prompt.id);
  draft.set({ openPrompts: draft.row.openPrompts + 1 });
  const { id, code, kind, tool, headline, expiresAt } = prompt;
  tx.append(draft, {
    type: 'prompt.opened',
    body: { prompt: id, code, kind, call: call.id, tool, headline, expiresAt },
  });
  tx.promptChanged(id);
  tx.workChanged();
  return { kind: 'asking', code, prompt: id };
}

/** The same question under the same code; what it offers to keep follows the rules of now. */
function stillAsking(tx: Tx, { id, code, ...before }: PromptRow, now: NewPrompt): CallAnswer {
  const { rule, ruleSubject, reason = null } = now;
  if (rule !== before.rule || reason !== before.reason) {
    tx.rows.update(prompts, [id], { rule, ruleSubject, reason });
    tx.promptChanged(id);
  }
  return { kind: 'asking', code, prompt: id };
}

/** The digest covers the facts and the mode: where those are the same, it was the mode. */
function whatChanged({ facts }: EffectRow, now: CallDecision): string {
  const same = facts !== null && canonicalJson(facts) === canonicalJson(now.facts);
  return same ? 'Asked again: the mode changed.' : 'What was asked about has changed.';
}

function makePrompt(
  tx: Tx,
  draft: SessionDraft,
  call: EffectRow,
  input: CallDecision & { prompt: NewPrompt },
): PromptRow {
  const { lifeMs, risks = null, reason = null, ...shown } = input.prompt;
  const id = tx.ids.next(idPrefix.prompt);
  return {
    ...shown,
    risks,
    reason,
    id,
    code: newCode(tx, id),
    state: 'open',
    session: draft.id,
    sessionName: draft.row.name,
    call: call.id,
    tool: call.tool,
    createdAt: tx.now,
    expiresAt: tx.now + lifeMs,
    verdict: null,
    by: null,
    digest: input.digest,
    origin: draft.row.turnFacts?.origin ?? selfOrigin,
  };
}

/** A code nobody can compute from public data, different from every live one. */
export function newCode(tx: Tx, id: string): string {
  const secret = tx.rows.get(meta, 'code_secret')?.value ?? '';
  const isLive = (code: string): boolean =>
    tx.rows.find(prompts, { eq: { code, state: 'open' }, limit: 1 }).length > 0;
  return approvalCode(sha256(`${secret}:${id}`), isLive);
}
