import { idPrefix } from '../../../../shared/domain/ids.ts';
import type { RuleRow } from '../rows.ts';
import { type RuleRecord, toRuleRow } from '../rows/records.ts';
import type { RowStore } from '../rows/table.ts';
import { rules } from '../rows/tables.ts';
import { decideAnew } from './decide-anew.ts';
import type { Tx } from './tx.ts';

/** A rule that a person gave; `session` null = every session. */
export type RuleInput = Pick<RuleRow, 'effect' | 'tool' | 'subject' | 'session' | 'by' | 'sandboxed'>;

/** Stores a rule once; the same rule again is the one that is there. */
export function storeRule(tx: Tx, input: RuleInput): RuleRow {
  const { effect, tool, subject, session, by, sandboxed = null } = input;
  const same = tx.rows
    .find(rules, { eq: { effect, tool } })
    .find((rule) => rule.subject === subject && rule.session === session && rule.sandboxed === sandboxed);
  if (same) return toRuleRow(same);
  const id = tx.ids.next(idPrefix.rule);
  const source = session === null ? 'always' : 'session';
  const rule: RuleRecord = { id, effect, tool, subject, source, session, createdAt: tx.now, by, sandboxed };
  tx.rows.insert(rules, rule);
  rulesChanged(tx, session);
  return toRuleRow(rule);
}

/** The rules that people gave for every session and for this one, oldest first. */
export function storedRules(rows: RowStore, session: string | null): RuleRow[] {
  return rows
    .find(rules, {})
    .filter((rule) => rule.session === null || rule.session === session)
    .map(toRuleRow);
}

/** Removes a rule; false when there is none. */
export function revokeRule(tx: Tx, id: string): boolean {
  const rule = tx.rows.get(rules, id);
  if (!rule) return false;
  tx.rows.delete(rules, id);
  rulesChanged(tx, rule.session);
  return true;
}

/** Calls that wait for a person are decided by the rules of now. */
function rulesChanged(tx: Tx, session: string | null): void {
  tx.workChanged();
  decideAnew(tx, (prompt) => session === null || prompt.session === session);
}
