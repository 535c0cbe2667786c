import { idPrefix } from '../../../../shared/domain/ids.ts';
import { selfOrigin } from '../../../../shared/domain/origin-route.ts';
import { isInside } from '../../../../shared/domain/permissions/self-protection.ts';
import type { AnsweredBy } from '../../../../shared/domain/prompts.ts';
import type { PromptRow, TrustRow } from '../rows.ts';
import type { RowStore } from '../rows/table.ts';
import { prompts, trust } from '../rows/tables.ts';
import type { AskTrust, NewTrust } from '../trust-port.ts';
import { newCode } from './ask.ts';
import { withdrawPrompt } from './close-prompts.ts';
import { decideAnew } from './decide-anew.ts';
import type { Tx } from './tx.ts';

/** Opens a question about the configuration of a directory, once per digest. */
export function askTrust(tx: Tx, input: AskTrust): PromptRow | null {
  const { session, dir, digest } = input;
  if (tx.rows.get(trust, dir)?.digest === digest) return null;
  const open = openQuestions(tx.rows, dir);
  if (open.some((prompt) => prompt.digest === digest)) return null;
  const draft = tx.session(session);
  withdrawAll(tx, open, 'The configuration of the directory has changed.');
  const prompt = makePrompt(tx, input, draft.row.name);
  tx.rows.insert(prompts, prompt);
  draft.set({ openPrompts: draft.row.openPrompts + 1 });
  const { id, code, kind, call, tool, headline, expiresAt } = prompt;
  tx.append(draft, {
    type: 'prompt.opened',
    body: { prompt: id, code, kind, call, tool, headline, expiresAt },
  });
  tx.promptChanged(id);
  tx.workChanged();
  return prompt;
}

function makePrompt(
  tx: Tx,
  { session, dir, digest, headline, preview, risks = [], lifeMs }: AskTrust,
  sessionName: string | null,
): PromptRow {
  const id = tx.ids.next(idPrefix.prompt);
  return {
    id,
    code: newCode(tx, id),
    kind: 'trust',
    state: 'open',
    session,
    sessionName,
    call: null,
    tool: null,
    headline,
    description: '',
    preview,
    risks: risks.length === 0 ? null : risks,
    reason: null,
    options: [],
    multiple: false,
    rule: null,
    ruleSubject: null,
    dir,
    createdAt: tx.now,
    expiresAt: tx.now + lifeMs,
    verdict: null,
    by: null,
    digest,
    origin: selfOrigin,
  };
}

function openQuestions(rows: RowStore, dir: string): PromptRow[] {
  const open = rows.find(prompts, { eq: { state: 'open' } });
  return open.filter((prompt) => prompt.kind === 'trust' && prompt.dir === dir);
}

function withdrawAll(tx: Tx, open: readonly PromptRow[], reason: string): void {
  for (const { session, id } of open) withdrawPrompt(tx, tx.anySession(session), id, reason);
}

/** Keeps the answer to a question of kind `trust`; `by` null: nobody answered in time, which counts as refused. */
export function keepTrust(tx: Tx, prompt: PromptRow, trusted: boolean, by: AnsweredBy | null): void {
  if (prompt.kind !== 'trust') return;
  store(tx, { dir: prompt.dir, digest: prompt.digest, trusted, config: prompt.preview, at: tx.now, by });
}

/** Stores a word that was given without a question. */
export function setTrust(tx: Tx, input: NewTrust): TrustRow {
  const { dir, digest, trusted, config, by } = input;
  withdrawAll(tx, openQuestions(tx.rows, dir), 'It was decided with kairos trust.');
  return store(tx, { dir, digest, trusted, config, at: tx.now, by });
}

function store(tx: Tx, row: TrustRow): TrustRow {
  if (tx.rows.get(trust, row.dir)) tx.rows.update(trust, [row.dir], row);
  else tx.rows.insert(trust, row);
  tx.workChanged();
  decideAnew(tx, ({ session }) => isInside(tx.anySession(session).row.dir, row.dir));
  return row;
}

/** What was trusted is refused from now on, until it is another configuration. */
export function revokeTrust(tx: Tx, dir: string, by: AnsweredBy): boolean {
  const known = tx.rows.get(trust, dir);
  if (!known?.trusted) return false;
  store(tx, { ...known, trusted: false, at: tx.now, by });
  return true;
}

/** Every word, newest first. */
export function listTrusts(rows: RowStore): TrustRow[] {
  return rows.find(trust, {}).sort((left, right) => right.at - left.at);
}
