import { idPrefix } from '../../../../shared/domain/ids.ts';
import type { RuleRow } from '../rows.ts';
import type { RowStore } from '../rows/table.ts';
import { rules } from '../rows/tables.ts';
import type { Tx } from './tx.ts';

/** A rule that a person gave; `session` null = every session. */
export type RuleInput = Pick<RuleRow, 'effect' | 'tool' | 'subject' | 'session' | 'by'>;

/** Stores a rule once; the same rule again is the one that is there. */
export function storeRule(tx: Tx, input: RuleInput): RuleRow {
  const { effect, tool, subject, session, by } = input;
  const same = tx.rows
    .find(rules, { eq: { effect, tool } })
    .find((rule) => rule.subject === subject && rule.session === session);
  if (same) return same;
  const id = tx.ids.next(idPrefix.rule);
  const source = session === null ? 'always' : 'session';
  const rule: RuleRow = { id, effect, tool, subject, source, session, createdAt: tx.now, by };
  tx.rows.insert(rules, rule);
  tx.workChanged();
  return rule;
}

/** The rules that people gave for every session and for this one, oldest first. */
export function storedRules(rows: RowStore, session: string | null): RuleRow[] {
  return rows.find(rules, {}).filter((rule) => rule.session === null || rule.session === session);
}

/** Removes a rule; false when there is none. */
export function revokeRule(tx: Tx, id: string): boolean {
  if (!tx.rows.get(rules, id)) return false;
  tx.rows.delete(rules, id);
  tx.workChanged();
  return true;
}
