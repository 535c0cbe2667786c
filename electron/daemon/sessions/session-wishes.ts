import { KairosError } from '../../../shared/base/errors.ts';
import { visibleText } from '../../../shared/base/visible-text.ts';
import { parseRule, ruleForms } from '../../../shared/domain/permissions/rules.ts';
import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import type { RuleTextsBody } from '../../../shared/protocol/permissions.ts';
import type { SessionRules } from '../events/rows.ts';

/** The rules given with a new session, as they are stored; null for none. Throws `bad_input` for one that cannot be taken as written. */
export function newSessionRules(texts: RuleTextsBody | null): SessionRules | null {
  if (texts === null) return null;
  const rules: SessionRules = { allow: texts.allow ?? [], ask: texts.ask ?? [], deny: texts.deny ?? [] };
  for (const effect of ['allow', 'ask', 'deny'] as const) {
    for (const text of rules[effect]) {
      const { notice } = parseRule(effect, text);
      if (notice !== null)
        throw new KairosError('bad_input', visibleText(notice.problem), { next: ruleForms });
    }
  }
  return rules.allow.length + rules.ask.length + rules.deny.length === 0 ? null : rules;
}

/** Throws `bad_input` when rules or a sandbox are given for a session that exists: they would silently not hold. */
export function checkNoWishes(body: { readonly rules?: unknown; readonly sandbox?: unknown }): void {
  if (body.rules === undefined && body.sandbox === undefined) return;
  throw new KairosError('bad_input', 'Rules and the sandbox are fixed when a session is made.', {
    next: 'Make another session, or store a rule with: kairos rules add',
  });
}

/** Throws `not_allowed` for a mode that the administrator of this machine forbids. */
export async function checkMode(
  mode: PermissionMode,
  bypassDisabled: () => Promise<boolean>,
): Promise<PermissionMode> {
  if (mode !== 'bypassPermissions' || !(await bypassDisabled())) return mode;
  throw new KairosError('not_allowed', 'The administrator of this machine forbids bypassPermissions.', {
    next: 'Use another mode, or allow single commands with: kairos rules add allow',
  });
}
